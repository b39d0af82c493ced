import { waitForMigrations } from './wait-for-migrations';

test('waits until another process has migrated', async () => {
  const lacking = [['0002_b', '0003_c'], ['0003_c'], []];
  await waitForMigrations({ missing: async () => lacking.shift()!, everyMs: 1 })();
  expect(lacking).toEqual([]);
});

test('says what is missing when nobody does', async () => {
  const wait = waitForMigrations({ missing: async () => ['0002_b', '0003_c'], waitMs: 3, everyMs: 1 });
  await expect(wait()).rejects.toThrow('the database lacks 2 migrations, the first is 0002_b');
});

test('an outage is for the caller to decide about', async () => {
  const wait = waitForMigrations({ missing: () => Promise.reject(new Error('no server')) });
  await expect(wait()).rejects.toThrow('no server');
});
