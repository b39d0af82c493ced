import { randomUUID } from 'node:crypto';
import { exportStoreConformance, goodAnswer, newConnector } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createConfigStore } from '../config';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createTaskStore } from '../tasks/create-task-store';
import { createExportStore } from './create-export-store';

exportStoreConformance('Postgres', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const pool = createPool(database.url);
  const prisma = createPrisma(pool);
  const config = createConfigStore(prisma);
  return {
    store: createExportStore(pool, prisma),
    tasks: createTaskStore(pool),
    organization: async () => {
      const email = `${randomUUID()}@shop.example`;
      const account = { email, passwordHash: 'hash', organizationName: 'Shop', tier: 'enterprise' as const };
      return goodAnswer(await config.accounts.create(account)).organizationId;
    },
    connector: async (organizationId) => goodAnswer(await config.connectors.create(newConnector(organizationId))).connector.id,
    deleteConnector: async (organizationId, id) => void (await config.connectors.delete(organizationId, id)),
    closeOrganization: async (organizationId) =>
      void (await pool.query(`UPDATE organizations SET state = 'closed' WHERE id = $1`, [organizationId])),
    passTime: async (organizationId, ms) => {
      const sql = `UPDATE data_exports SET created_at = created_at - $2::float8 * interval '1 millisecond' WHERE organization_id = $1`;
      await pool.query(sql, [organizationId, ms]);
    },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
});
