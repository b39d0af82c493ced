import { composeAlone } from '@sluice/service-kit';
import { exportWorker } from './export-worker';

test('a service of its own names every part it lacks before it starts', () => {
  for (const setting of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL'])
    expect(() => composeAlone(exportWorker, {})).toThrow(setting);
});
