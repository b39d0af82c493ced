import { composeAlone } from '@sluice/service-kit';
import { configApi } from './config-api';

test('a service of its own names every part it lacks before it starts', () => {
  for (const name of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'SLUICE_ENCRYPTION_KEYS']) {
    expect(() => composeAlone(configApi, {})).toThrow(name);
  }
});
