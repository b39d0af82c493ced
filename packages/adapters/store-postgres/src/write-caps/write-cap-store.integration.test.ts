import { connectorScope } from '@sluice/ports';
import { aHeld, aHold, aSettlement, ownPartition, writeCapConformance } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createConfigStore } from '../config';
import { createPool } from '../create-pool';
import { createPrisma } from '../create-prisma';
import { migrate } from '../migrations/migrate';
import { createRunStore } from '../run/create-run-store';
import { createWriteCapStore } from './create-write-cap-store';

writeCapConformance('Postgres', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const [pool, second] = [createPool(database.url), createPool(database.url)];
  const [prisma, secondPrisma] = [createPrisma(pool), createPrisma(second)];
  const runs = createRunStore(pool);
  return {
    config: createConfigStore(prisma),
    store: createWriteCapStore(pool, prisma),
    other: createWriteCapStore(second, secondPrisma),
    hold: async (connectorId, organizationId) => {
      const [lease, scope] = [await ownPartition(runs), connectorScope(connectorId)];
      const held = aHeld(lease, 1n, { connectorId, organizationId, scope, reason: 'write_cap' });
      const { unit } = held;
      await runs.settle([aHold(lease, held)]);
      return async () => {
        await runs.settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'none' }, heldScope: scope })]);
      };
    },
    close: async () => {
      await Promise.all([prisma.$disconnect(), secondPrisma.$disconnect()]);
      await Promise.all([pool.end(), second.end()]);
      await database.drop();
    },
  };
});
