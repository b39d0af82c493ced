import type { IndexRow } from '@sluice/ports';
import { anIndexRow } from '@sluice/ports/testing';
import type { Pool } from 'pg';
import { migratedPool } from '../test-support/migrated-pool';
import { insertIndex } from './insert-index';
import { writeIndex } from './write-index';

const hostile = 'a,"b"\\\t\n\0 é 日本 half \ud800';

describe('writing the event index', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => ({ pool, close } = await migratedPool()));
  afterAll(() => close());

  const stored = async ({ connectorId }: IndexRow): Promise<unknown[]> => {
    const sql = `SELECT i.*, p.payload::text AS payload FROM event_index i LEFT JOIN event_payloads p USING (event_id, entity_index, run, accepted_at) WHERE connector_id = $1 ORDER BY entity_index`;
    return (await pool.query(sql, [connectorId])).rows;
  };
  const rowsOf = (): IndexRow[] => {
    const row = anIndexRow({ entitiesTotal: 3, acceptedAt: '2026-11-21T23:59:59.999Z' });
    return [
      {
        ...row,
        externalId: hostile,
        sourceName: hostile,
        eventType: hostile,
        lane: hostile,
        aliases: ['evt_before', hostile],
        payload: Buffer.from(JSON.stringify({ [hostile]: hostile, long: 'x'.repeat(200_000) })),
      },
      {
        ...row,
        entityIndex: 1,
        externalId: null,
        payload: null,
        payloadRef: 'payloads/1.json',
        run: 'replay-1',
        kind: 'replay',
        acceptedAt: '1999-12-31T00:00:00.001Z',
      },
      { ...row, entityIndex: 2, acceptedAt: '2100-01-01T00:00:00.000Z', payload: Buffer.from('null') },
    ];
  };

  it('stores by COPY what statements with parameters store', async () => {
    const rows = rowsOf();
    await writeIndex(pool, rows);
    const copied = await stored(rows[0]!);
    expect(copied).toMatchObject([
      {
        event_id: rows[0]!.eventId,
        entity_index: 0,
        entities_total: 3,
        accepted_at: new Date('2026-11-21T23:59:59.999Z'),
        external_id: 'a,"b"\\\t\n\uFFFD é 日本 half \uFFFD',
        payload: String(rows[0]!.payload),
      },
      {
        run: 'replay-1',
        accepted_at: new Date('1999-12-31T00:00:00.001Z'),
        external_id: null,
        payload_ref: 'payloads/1.json',
        payload: null,
      },
      { accepted_at: new Date('2100-01-01T00:00:00.000Z'), payload: 'null' },
    ]);
    await pool.query('DELETE FROM event_payloads');
    await pool.query('DELETE FROM event_index');
    await insertIndex(pool, rows);
    expect(await stored(rows[0]!)).toEqual(copied);
  });

  it('leaves what is there as it is, and adds the rest of the batch', async () => {
    const [first, , last] = rowsOf() as [IndexRow, IndexRow, IndexRow];
    await writeIndex(pool, [first]);
    const before = await stored(first);
    await writeIndex(pool, [
      { ...last, connectorId: first.connectorId },
      { ...first, lane: 'another', payload: Buffer.from('{}') },
    ]);
    expect(await stored(first)).toEqual([before[0], expect.objectContaining({ entity_index: 2, payload: 'null' })]);
  });

  it('is not stopped by a payload that is no JSON: it keeps its text, and the batch', async () => {
    const [good, bad] = [anIndexRow(), anIndexRow({ payload: Buffer.from('{"half":') })];
    await writeIndex(pool, [good, { ...bad, connectorId: good.connectorId, entityIndex: 1 }]);
    expect(await stored(good)).toMatchObject([{ payload: '{"email":"a@shop.test"}' }, { payload: '"{\\"half\\":"' }]);
  });
});
