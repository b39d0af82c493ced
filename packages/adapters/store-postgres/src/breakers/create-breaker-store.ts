import { type BreakerStore, claimed, isTurnOf, reactivated, retriedNow } from '@sluice/ports';
import type { Pool } from 'pg';
import { inTransaction, retried } from '../transaction';
import { breakerOf } from './breaker-row';
import { changeBreakers } from './change-breakers';
import { checkRates } from './check-rates';
import { noteOutcomes } from './note-outcomes';
import { oldestHeldOf } from './oldest-held';

const notableSql = `SELECT * FROM flow_breakers WHERE state <> 'closed' OR forced IS NOT NULL`;
const changedSql = 'SELECT * FROM flow_breakers WHERE updated_at >= $1';
const timeSql = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms';
const flowsSql = 'SELECT flow_name FROM flow_breakers WHERE connector_id = $1';
const countsSql = 'SELECT coalesce(forced, state) AS state, count(*)::int AS count FROM flow_breakers GROUP BY 1';

/** The breakers of all flows, on Postgres. All times are the database's. */
export function createBreakerStore(pool: Pool): BreakerStore {
  return {
    changed: async (since) => {
      // The time is read first: what changes meanwhile is told by the next call too.
      const { rows: [{ ms: storeMs }] } = await retried(() => pool.query(timeSql));
      const { rows } = await retried(() => (since === null ? pool.query(notableSql) : pool.query(changedSql, [new Date(since)])));
      return { breakers: rows.map(breakerOf), storeMs };
    },
    ofConnectors: async (ids) => {
      const { rows } = await retried(() => pool.query('SELECT * FROM flow_breakers WHERE connector_id = ANY($1::uuid[])', [ids]));
      return rows.map(breakerOf);
    },
    note: async (outcomes, settings) => {
      const noted = await inTransaction(pool, (client) => noteOutcomes(client, outcomes, settings));
      return noted.filter(({ state }) => state !== 'closed');
    },
    claimAttempt: (connectorId, flowName, unit, attemptMs) => inTransaction(pool, async (client) => {
      const oldest = await oldestHeldOf(client, connectorId, flowName);
      let isMine = false;
      await changeBreakers(client, [{ connectorId, flowName }], [], (breaker, now) => {
        const after = isTurnOf(unit, oldest, breaker, now) ? claimed(breaker, unit, now, attemptMs) : null;
        isMine = after !== null;
        return after;
      });
      return isMine;
    }),
    retry: (connectorId, flowName) => inTransaction(pool, async (client) => {
      await changeBreakers(client, [{ connectorId, flowName }], [], retriedNow);
    }),
    closeAll: (connectorId) => inTransaction(pool, async (client) => {
      const { rows } = await client.query(flowsSql, [connectorId]);
      const flows = rows.map((row) => ({ connectorId, flowName: row.flow_name as string }));
      if (flows.length > 0) await changeBreakers(client, flows, [], reactivated);
    }),
    force: (connectorId, flowName, forced) => inTransaction(pool, async (client) => {
      const flows = [{ connectorId, flowName }];
      return (await changeBreakers(client, flows, flows, (breaker) => ({ ...breaker, forced })))[0]!;
    }),
    checkRates: (settings) => checkRates(pool, settings),
    counts: async () => {
      const { rows } = await retried(() => pool.query(countsSql));
      return Object.fromEntries(rows.map((row) => [row.state, row.count]));
    },
  };
}
