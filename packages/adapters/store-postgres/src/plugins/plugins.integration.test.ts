import { functionCodeConformance, pluginConformance } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createConfigStore } from '../config/create-config-store';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createRunStore } from '../run/create-run-store';
import { createTaskStore } from '../tasks/create-task-store';
import { createFunctionCodeStore } from './function-code-store';
import { createPluginRunStore } from './plugin-run-store';
import { createPluginWorkStore } from './plugin-work-store';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function openDatabase() {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const close = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
    await database.drop();
  };
  return { pool, prisma, close };
}

pluginConformance('Postgres', async () => {
  const { pool, prisma, close } = await openDatabase();
  return {
    store: createConfigStore(prisma), work: createPluginWorkStore(prisma), runs: createPluginRunStore(pool),
    runStore: createRunStore(pool), tasks: createTaskStore(pool), close,
  };
});

functionCodeConformance('Postgres', async () => {
  const { pool, close } = await openDatabase();
  closing.push(close);
  return createFunctionCodeStore(pool);
});
