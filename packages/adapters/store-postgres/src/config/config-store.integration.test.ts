import { configStoreConformance, type ConfigStoreLab } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createTaskStore } from '../tasks/create-task-store';
import { createConfigStore } from './create-config-store';

async function postgresLab(): Promise<ConfigStoreLab> {
  const database = await preparedDatabase('migrated', migrate);
  const clients = [createPool(database.url), createPool(database.url)].map((pool) => ({ pool, prisma: createPrisma(pool) }));
  const [mine, others] = clients;
  return {
    store: createConfigStore(mine!.prisma),
    other: createConfigStore(others!.prisma),
    tasks: createTaskStore(mine!.pool),
    addMember: async (organizationId, userId, role) => {
      await mine!.pool.query('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3)', [
        organizationId,
        userId,
        role,
      ]);
    },
    addMappings: async (connectorId, count) => {
      await mine!.pool.query(
        `INSERT INTO identity_mappings (connector_id, entity, external_id, portal_id, object_type, crm_id, binding_epoch)
         SELECT id, 'customer', 'C-' || n, binding_portal_id, 'contacts', n::text, binding_epoch FROM connectors, generate_series(1, $2::int) n WHERE id = $1`,
        [connectorId, count],
      );
    },
    mappings: async (connectorId) =>
      Number(
        (await mine!.pool.query('SELECT count(*) FROM identity_mappings WHERE connector_id = $1', [connectorId])).rows[0].count,
      ),
    close: async () => {
      for (const { pool, prisma } of clients) {
        await prisma.$disconnect();
        await pool.end();
      }
      await database.drop();
    },
  };
}

configStoreConformance('Postgres', postgresLab);
