import { anIndexRow } from '@sluice/ports/testing';
import type { Pool } from 'pg';
import { migratedPool } from '../test-support/migrated-pool';
import { createEventIndex } from './create-event-index';

const dayS = 86_400;
const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayS * 1000);
const partitionOf = (table: string, day: Date): string => `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;

describe('time partitions', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeEach(async () => ({ pool, close } = await migratedPool()));
  afterEach(() => close());

  const partitions = async (table: string): Promise<string[]> => {
    const { rows } = await pool.query(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
      [table],
    );
    return rows.map((row) => row.name);
  };
  const countIn = async (table: string): Promise<number> =>
    (await pool.query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n;

  it.each(['sync_events', 'event_index', 'event_payloads'])('%s: a day each, a week ahead', async (table) => {
    await createEventIndex(pool).maintain(now, { historyS: 30 * dayS, payloadS: 7 * dayS });
    const days = [1, 0, -1, -2, -3, -4, -5, -6, -7].map((ago) => partitionOf(table, daysAgo(ago)));
    expect(await partitions(table)).toEqual([...days, `${table}_default`]);
  });

  it('moves rows of a day out of the default partition when the day gets its own', async () => {
    const row = anIndexRow({ acceptedAt: daysAgo(-6).toISOString() });
    const index = createEventIndex(pool);
    await index.write([row]);
    expect(await countIn('event_index_default')).toBe(1);
    await index.maintain(now, { historyS: 30 * dayS, payloadS: 7 * dayS });
    expect(await countIn('event_index_default')).toBe(0);
    expect(await countIn(partitionOf('event_index', daysAgo(-6)))).toBe(1);
    expect((await index.view(row.connectorId, row.eventId, row.acceptedAt)).index?.units).toBe(1);
  });

  it('drops payloads by their own retention, whole days at once, and never keeps them longer than their event', async () => {
    const index = createEventIndex(pool);
    await index.maintain(daysAgo(12), { historyS: 30 * dayS, payloadS: 30 * dayS });
    await index.write([12, 8, 1].map((days) => anIndexRow({ acceptedAt: daysAgo(days).toISOString() })));
    await index.maintain(now, { historyS: 30 * dayS, payloadS: 7 * dayS });
    expect([await countIn('event_index'), await countIn('event_payloads')]).toEqual([3, 1]);
    expect(await partitions('event_payloads')).not.toContain(partitionOf('event_payloads', daysAgo(8)));
    await index.maintain(now, { historyS: 10 * dayS, payloadS: 60 * dayS });
    expect([await countIn('event_index'), await countIn('event_payloads')]).toEqual([2, 1]);
  });

  it('with retentions of seconds keeps the day of young rows, pass after pass', async () => {
    const index = createEventIndex(pool);
    const [young, old] = [0, 2].map((days) => anIndexRow({ acceptedAt: daysAgo(days).toISOString() }));
    await index.write([young!, old!]);
    for (let pass = 0; pass < 3; pass += 1) await index.maintain(now, { historyS: 10, payloadS: 2 });
    expect([await countIn('event_index'), await countIn('event_payloads')]).toEqual([1, 1]);
    expect((await index.view(young!.connectorId, young!.eventId, young!.acceptedAt)).index?.units).toBe(1);
    await index.maintain(now, { historyS: 0, payloadS: 0 });
    expect(await partitions('event_payloads')).toContain(partitionOf('event_payloads', now));
  });

  it('deletes what was written after the partition of its day was dropped', async () => {
    const index = createEventIndex(pool);
    await index.write([31, 29].map((days) => anIndexRow({ acceptedAt: daysAgo(days).toISOString() })));
    await index.maintain(now, { historyS: 30 * dayS, payloadS: 30 * dayS });
    expect([await countIn('event_index_default'), await countIn('event_payloads_default')]).toEqual([1, 1]);
  });

  it('forgets claims done more than a week ago, and those whose events left them pending so long ago', async () => {
    const claim = (value: string, claimedDaysAgo: number, doneAt: Date | null) =>
      pool.query(`INSERT INTO identity_claims VALUES ('p', 'contacts', 'email', $1, $2, 'u', $3, $4, $5)`, [
        value,
        anIndexRow().connectorId,
        daysAgo(claimedDaysAgo),
        doneAt && '1',
        doneAt,
      ]);
    await Promise.all([
      claim('done', 30, daysAgo(8)),
      claim('done lately', 30, daysAgo(6)),
      claim('left', 8, null),
      claim('pending', 6, null),
    ]);
    await createEventIndex(pool).maintain(now, { historyS: dayS, payloadS: dayS });
    expect((await pool.query('SELECT value FROM identity_claims ORDER BY 1')).rows.map((row) => row.value)).toEqual([
      'done lately',
      'pending',
    ]);
  });

  it('keeps a day until its last instant is past retention', async () => {
    const index = createEventIndex(pool);
    const early = new Date(`${daysAgo(3).toISOString().slice(0, 10)}T00:00:00.000Z`);
    await index.maintain(daysAgo(3), { historyS: 30 * dayS, payloadS: 30 * dayS });
    await index.maintain(now, { historyS: 3 * dayS, payloadS: 3 * dayS });
    expect(await partitions('event_index')).toContain(partitionOf('event_index', early));
  });
});
