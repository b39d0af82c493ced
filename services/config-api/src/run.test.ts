import { runConfigApi } from './run';

test('a service of its own names every part it lacks before it starts', async () => {
  const start = runConfigApi({});
  for (const name of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'SLUICE_ENCRYPTION_KEYS'])
    await expect(start).rejects.toThrow(name);
});
