import { FenceLost } from '@sluice/ports';
import { taskStoreConformance, until } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { inTransaction } from '../transaction';
import { assertFence, assertFenceOf } from './assert-fence';
import { createTaskStore } from './create-task-store';

taskStoreConformance('Postgres', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const [pool, other] = [createPool(database.url), createPool(database.url)];
  return {
    store: createTaskStore(pool),
    other: createTaskStore(other),
    write: (fence, hold) => inTransaction(pool, async (client) => {
      await assertFence(client, fence);
      await hold;
    }),
    close: async () => {
      await Promise.all([pool.end(), other.end()]);
      await database.drop();
    },
  };
});

describe('fenced transactions', () => {
  let database: Awaited<ReturnType<typeof preparedDatabase>>;
  let pool: ReturnType<typeof createPool>;
  beforeAll(async () => {
    database = await preparedDatabase('migrated', migrate);
    pool = createPool(database.url);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });
  const claim = async (owner: string) =>
    (await createTaskStore(pool).claim(owner, [{ worker: 'w', limit: 1, leaseMs: 1, exceptTenants: [] }])).runs;

  it('keep the task from another owner until they end, whatever the lease is, and nobody waits for them', async () => {
    await createTaskStore(pool).ensure([{ worker: 'w', key: 'a' }]);
    const [run] = await claim('one');
    await inTransaction(pool, async (client) => {
      await assertFence(client, run!);
      await until('its lease has ended', async () =>
        (await pool.query('SELECT 1 FROM background_tasks WHERE free_at < clock_timestamp()')).rowCount === 1);
      expect(await claim('two')).toEqual([]);
    });
    expect(await claim('two')).toMatchObject([{ key: 'a', attempt: 2 }]);
    await expect(inTransaction(pool, (client) => assertFence(client, run!))).rejects.toThrow(FenceLost);
  });

  it('work in transactions of Prisma too', async () => {
    const tasks = createTaskStore(pool);
    await tasks.wake([{ worker: 'w', key: 'prisma' }]);
    const [run] = (await tasks.claim('one', [{ worker: 'w', limit: 9, leaseMs: 60_000, exceptTenants: [] }])).runs
      .filter(({ key }) => key === 'prisma');
    const prisma = createPrisma(pool);
    await prisma.$transaction((tx) => assertFenceOf(tx, run!));
    await tasks.finish(run!, { next: 'removed', error: null, retry: false });
    await expect(prisma.$transaction((tx) => assertFenceOf(tx, run!))).rejects.toThrow(FenceLost);
    await prisma.$disconnect();
  });
});
