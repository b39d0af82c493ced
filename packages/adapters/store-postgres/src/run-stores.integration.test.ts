import { eventIndexConformance, runStoreConformance, type RunStoreLab } from '@sluice/ports/testing';
import { eventually, preparedDatabase } from '@sluice/testkit';
import type { Pool } from 'pg';
import { createBreakerStore } from './breakers/create-breaker-store';
import { createConflictStore } from './conflicts/create-conflict-store';
import { createPool } from './create-pool';
import { createEventIndex } from './event-index/create-event-index';
import { migrate } from './migrations/migrate';
import { createRunStore } from './run/create-run-store';

/** Connections that were cut are noticed, and new ones made. */
const answers = async (...pools: Pool[]): Promise<void> => {
  for (const pool of pools) await eventually(() => pool.query('SELECT'));
};

async function postgresLab(): Promise<RunStoreLab> {
  const database = await preparedDatabase('migrated', migrate);
  const named = (applicationName: string): Pool => createPool(database.url, { applicationName });
  const [pool, other, young] = [named('store'), named('other'), named('young')];
  return {
    store: createRunStore(pool),
    other: createRunStore(other),
    index: createEventIndex(pool),
    // Prepared statements have a name per connection.
    keeping: (retention) => createEventIndex(young, retention),
    conflicts: createConflictStore(pool),
    breakers: createBreakerStore(pool),
    bind: async (connectorId, epoch) => {
      await pool.query(
        'INSERT INTO connector_bindings VALUES ($1, $2) ON CONFLICT (connector_id) DO UPDATE SET epoch = excluded.epoch',
        [connectorId, epoch],
      );
    },
    endSessions: async (of) => {
      const sessions = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`;
      await young.query(`SELECT pg_terminate_backend(pid) ${sessions}`, [of]);
      await eventually(async () => expect((await young.query(`SELECT pid ${sessions}`, [of])).rows).toEqual([]));
      await answers(of === 'store' ? pool : other);
    },
    backup: async () => {
      const putBack = await database.backup();
      await answers(pool, other);
      return async () => {
        await putBack();
        await answers(pool, other);
      };
    },
    close: async () => {
      await Promise.all([pool.end(), other.end(), young.end()]);
      await database.drop();
    },
  };
}

runStoreConformance('Postgres', postgresLab);
eventIndexConformance('Postgres', postgresLab);
