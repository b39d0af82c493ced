import { composeAlone } from '@sluice/service-kit';
import { journalPoller } from './journal-poller';

test('a service of its own names every part it lacks before it starts', () => {
  for (const setting of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'SLUICE_ENCRYPTION_KEYS'])
    expect(() => composeAlone(journalPoller, {})).toThrow(setting);
});
