import { randomUUID } from 'node:crypto';
import { aRow, aSettlement, aUnit, breakerStoreConformance, ownPartition } from '@sluice/ports/testing';
import { preparedDatabase } from '@sluice/testkit';
import { createPool } from '../create-pool';
import { migrate } from '../migrations/migrate';
import { createRunStore } from '../run/create-run-store';
import { createBreakerStore } from './create-breaker-store';

breakerStoreConformance('Postgres', async () => {
  const database = await preparedDatabase('migrated', migrate);
  const [pool, other] = [createPool(database.url), createPool(database.url)];
  const runs = createRunStore(pool);
  return {
    store: createBreakerStore(pool),
    other: createBreakerStore(other),
    ended: async (connectorId, flowName, count) => {
      const lease = await ownPartition(runs);
      const rows = Array.from({ length: count }, () =>
        aRow(aUnit(), { id: randomUUID(), connectorId, flowName, completedAt: new Date().toISOString() }));
      await runs.settle(rows.map((row) => aSettlement(lease,
        { unit: row.unit, connectorId, verdict: { kind: 'rows', rows: [row] } })));
    },
    close: async () => {
      await Promise.all([pool.end(), other.end()]);
      await database.drop();
    },
  };
});
