import type { CrashWatchStore, UnitKey } from '@sluice/ports';
import type { Pool } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { retried } from '../transaction';

const unitColumns = { event_id: 'text', entity_index: 'integer', run: 'text' } as const;
const begun = bulkRows({ ...unitColumns, deaths: 'integer', alone_deaths: 'integer', alone: 'boolean' }, 3);
const ended = bulkRows(unitColumns, 3);

const beginSql = `
  INSERT INTO watched_units AS w (topic, partition, ${begun.names}, begun) SELECT $1, $2, ${begun.values}, true FROM ${begun.from}
  ON CONFLICT (topic, partition, event_id, entity_index, run) DO UPDATE SET
    deaths = greatest(w.deaths, excluded.deaths), alone_deaths = greatest(w.alone_deaths, excluded.alone_deaths),
    begun = true, alone = excluded.alone`;

const endSql = `
  DELETE FROM watched_units w USING ${ended.from}
  WHERE w.topic = $1 AND w.partition = $2 AND w.event_id = r.event_id AND w.entity_index = r.entity_index AND w.run = r.run`;

const countSql = `
  UPDATE watched_units SET
    deaths = deaths + (begun AND NOT alone)::int, alone_deaths = CASE WHEN begun THEN alone_deaths + alone::int ELSE 0 END,
    begun = false, alone = false
  WHERE topic = $1 AND partition = $2
  RETURNING event_id, entity_index, run, deaths, alone_deaths`;

const columnsOf = ({ eventId, entityIndex, run }: UnitKey) => ({ event_id: eventId, entity_index: entityIndex, run });

/** The crash watch on the table watched_units: a handful of rows, and none while nothing crashes. */
export function crashWatchStore(pool: Pool): CrashWatchStore {
  return {
    begin: async ({ topic, partition }, units) => {
      const rows = units.map(({ unit, deaths, aloneDeaths, alone }) => (
        { ...columnsOf(unit), deaths, alone_deaths: aloneDeaths, alone }
      ));
      await retried(() => pool.query({ name: 'watch-begin', text: beginSql, values: [topic, partition, bulkParameter(rows)] }));
    },
    end: async ({ topic, partition }, units) => {
      await retried(() =>
        pool.query({ name: 'watch-end', text: endSql, values: [topic, partition, bulkParameter(units.map(columnsOf))] }),
      );
    },
    countDeaths: async ({ topic, partition }) => {
      const { rows } = await retried(() => pool.query(countSql, [topic, partition]));
      return rows.map((row) => ({
        unit: { eventId: row.event_id, entityIndex: row.entity_index, run: row.run },
        deaths: row.deaths,
        aloneDeaths: row.alone_deaths,
      }));
    },
    forget: async ({ topic, partition }) => {
      await retried(() => pool.query('DELETE FROM watched_units WHERE topic = $1 AND partition = $2', [topic, partition]));
    },
  };
}
