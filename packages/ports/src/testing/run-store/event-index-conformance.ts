import { randomUUID } from 'node:crypto';
import type { IndexRow, RecentPayload } from '../../records/event-index';
import type { PartitionRef } from '../../run-store/partition-ref';
import { aHeld, aHold, anIndexRow, aRow, aSettlement, ownPartition, type RunStoreLab } from './run-store-lab';

const dayS = 86_400;
const daysAgo = (days: number, from = Date.now()): string => new Date(from - days * dayS * 1000).toISOString();

/**
 * What every event index must do. Call it at the top level of a test file.
 * @param makeLab called once; an empty index and the run store beside it
 */
export function eventIndexConformance(name: string, makeLab: () => Promise<RunStoreLab>): void {
  describe(`${name} is an event index`, () => {
    let lab: RunStoreLab;
    beforeAll(async () => {
      lab = await makeLab();
    });
    afterAll(() => lab.close());

    it('shows an event with its rows and held units', async () => {
      const lease = await ownPartition(lab.store);
      const first = anIndexRow({ entitiesTotal: 2 });
      const { eventId, connectorId, acceptedAt } = first;
      const second = { ...first, entityIndex: 1 };
      await lab.index.write([first, second]);
      const row = aRow({ eventId, entityIndex: 0, run: 'first' }, { connectorId });
      const held = aHeld(lease, 1n, { unit: { eventId, entityIndex: 1, run: 'first' }, connectorId, dueAt: 1_790_000_000_000,
        lastError: '503', lastErrorCode: 'crm_unavailable' });
      await lab.store.settle([
        aSettlement(lease, { unit: row.unit, verdict: { kind: 'rows', rows: [row] } }),
        aHold(lease, held),
      ]);
      expect(await lab.index.view(connectorId, eventId, acceptedAt)).toEqual({
        index: { connectorId, entitiesTotal: 2, acceptedAt, units: 2, aliases: [] },
        forgotten: false,
        rows: [row],
        held: [{ unit: held.unit, reason: 'retry', dueAt: 1_790_000_000_000, error: '503', errorCode: 'crm_unavailable' }],
        replays: [],
      });
    });

    it('shows nothing of an unknown event', async () => {
      const entry = anIndexRow();
      await lab.index.write([entry]);
      expect(await lab.index.view(entry.connectorId, 'evt_unknown', entry.acceptedAt)).toEqual({
        index: null,
        forgotten: false,
        rows: [],
        held: [],
        replays: [],
      });
    });

    it('shows nothing to another connector: neither entry, nor outcome, nor held units', async () => {
      const lease = await ownPartition(lab.store);
      const entry = anIndexRow({ entitiesTotal: 2 });
      const { connectorId, eventId } = entry;
      await lab.index.write([entry]);
      const row = aRow({ eventId, entityIndex: 0, run: 'first' }, { connectorId });
      const held = aHeld(lease, 1n, { unit: { eventId, entityIndex: 1, run: 'first' }, connectorId });
      await lab.store.settle([
        aSettlement(lease, { unit: row.unit, connectorId, verdict: { kind: 'rows', rows: [row] } }),
        aHold(lease, held),
      ]);
      expect(await lab.index.view(connectorId, eventId, entry.acceptedAt)).toMatchObject({
        index: { units: 1 },
        rows: [{ id: row.id }],
        held: [{ unit: held.unit }],
      });
      const others = await lab.index.view(randomUUID(), eventId, entry.acceptedAt);
      expect(others).toEqual({ index: null, forgotten: false, rows: [], held: [], replays: [] });
    });

    it('names the other ids of an event once each, of all its messages', async () => {
      const first = anIndexRow({ entitiesTotal: 2, aliases: ['evt_a', 'evt_b'] });
      const { connectorId, eventId, acceptedAt } = first;
      const later = new Date(Date.parse(acceptedAt) + 60_000).toISOString();
      await lab.index.write([first, { ...first, entityIndex: 1, acceptedAt: later, aliases: ['evt_b', 'evt_c'] }]);
      const aliases = (await lab.index.view(connectorId, eventId, acceptedAt)).index?.aliases;
      expect([...(aliases ?? [])].sort()).toEqual(['evt_a', 'evt_b', 'evt_c']);
    });

    it('writes a unit once for any number of calls', async () => {
      const entry = anIndexRow();
      await lab.index.write([entry, entry]);
      await lab.index.write([entry]);
      expect(await lab.index.acceptedSince(entry.organizationId, daysAgo(1))).toBe(1);
    });

    it('counts accepted entities of an organization since a time, replays left out', async () => {
      const organizationId = randomUUID();
      const old = anIndexRow({ organizationId, acceptedAt: daysAgo(3) });
      const replayed = { ...old, run: 'replay-1', kind: 'replay', acceptedAt: daysAgo(0) };
      await lab.index.write([old, replayed, ...Array.from({ length: 5 }, () => anIndexRow({ organizationId })), anIndexRow()]);
      expect(await lab.index.acceptedSince(organizationId, daysAgo(1))).toBe(5);
      expect(await lab.index.acceptedSince(organizationId, daysAgo(4))).toBe(6);
    });

    it('accepts payloads that a database may refuse, and no payload', async () => {
      const hostile = 'null \0 half \ud800';
      const entry = anIndexRow({
        externalId: hostile,
        aliases: ['evt_before', 'evt "quoted"'],
        payload: Buffer.from(JSON.stringify({ [hostile]: hostile })),
      });
      await lab.index.write([entry, { ...entry, entityIndex: 1, payload: null, payloadRef: 'blob/1' }]);
      expect((await lab.index.view(entry.connectorId, entry.eventId, entry.acceptedAt)).index?.units).toBe(2);
    });

    it('finds the newest payloads of a connector, small ones only, replays left out', async () => {
      const connectorId = randomUUID();
      const at = (minutes: number, over: object): ReturnType<typeof anIndexRow> =>
        anIndexRow({ connectorId, acceptedAt: daysAgo(minutes / 1_440), ...over });
      const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
      await lab.index.write([
        at(4, { payload: json({ n: 4 }), eventType: 'a' }), at(2, { payload: json({ n: 2 }), sourceName: 'hook' }),
        at(3, { payload: json({ n: 'x'.repeat(300) }) }), at(1, { payload: json({ n: 1 }), run: 'replay-1' }),
        at(5, { payload: null, payloadRef: 'blob' }), at(3_000, { payload: json({ n: 'old' }) }),
        anIndexRow({ payload: json({ n: 'of another' }) }),
      ]);
      const bounds = { since: daysAgo(1), limit: 10, bytes: 200 };
      const parsed = (found: RecentPayload[]) =>
        found.map(({ payloadText, ...more }) => ({ ...more, payload: JSON.parse(payloadText) as unknown }));
      expect(parsed(await lab.index.recentPayloads(connectorId, bounds))).toEqual([
        { sourceName: 'hook', eventType: 'customer.updated', payload: { n: 2 } },
        { sourceName: 'shop', eventType: 'a', payload: { n: 4 } },
      ]);
      const newest = await lab.index.recentPayloads(connectorId, { ...bounds, limit: 1 });
      expect(parsed(newest).map(({ payload }) => payload)).toEqual([{ n: 2 }]);
    });

    it('forgets events past the history retention and keeps younger ones, also without a partition per day', async () => {
      const organizationId = randomUUID();
      const [old, kept, fresh] = [12, 4, 0].map((days) => anIndexRow({ organizationId, acceptedAt: daysAgo(days) }));
      await lab.index.write([old!, kept!, fresh!]);
      await lab.index.maintain(new Date(), { historyS: 10 * dayS, payloadS: 2 * dayS });
      await lab.index.maintain(new Date(), { historyS: 10 * dayS, payloadS: 2 * dayS });
      const known = await Promise.all(
        [old!, kept!, fresh!].map(
          async (row) => (await lab.index.view(row.connectorId, row.eventId, row.acceptedAt)).index !== null,
        ),
      );
      expect(known).toEqual([false, true, true]);
      // What was counted stays: bills go by it.
      expect(await lab.index.acceptedSince(organizationId, daysAgo(200))).toBe(3);
    });

    it('shows history and payloads to the end of their retention, whatever is still stored', async () => {
      const index = lab.keeping({ historyS: 120, payloadS: 60 });
      const lease = await ownPartition(lab.store);
      const connectorId = randomUUID();
      const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
      const [past, old, young] = [180, 90, 5].map((seconds) => anIndexRow({
        connectorId, acceptedAt: secondsAgo(seconds), payload: Buffer.from(JSON.stringify({ seconds })),
      })) as [IndexRow, IndexRow, IndexRow];
      await index.write([past, old, young]);
      const rowOf = ({ eventId, acceptedAt: createdAt }: IndexRow) =>
        aRow({ eventId, entityIndex: 0, run: 'first' }, { connectorId, createdAt });
      await lab.store.settle([past, old].map((event) => {
        const row = rowOf(event);
        return aSettlement(lease, { unit: row.unit, connectorId, verdict: { kind: 'rows', rows: [row] } });
      }));
      const viewOf = ({ eventId, acceptedAt }: IndexRow) => index.view(connectorId, eventId, acceptedAt);
      expect(await viewOf(past)).toMatchObject({ index: null, forgotten: true, rows: [] });
      expect(await viewOf(old)).toMatchObject({ index: { units: 1 }, forgotten: false, rows: [{ connectorId }] });
      const held = aHeld(lease, 1n, { unit: { eventId: past.eventId, entityIndex: 0, run: 'replay-1' }, connectorId });
      await lab.store.settle([aHold(lease, held)]);
      expect(await viewOf(past)).toMatchObject({ forgotten: true, held: [{ unit: held.unit }] });
      const recent = await index.recentPayloads(connectorId, { since: secondsAgo(3600), limit: 10, bytes: 1000 });
      expect(recent.map(({ payloadText }) => JSON.parse(payloadText))).toEqual([{ seconds: 5 }]);
      expect(await index.acceptedSince(past.organizationId, secondsAgo(3600))).toBe(1);
    });

    it('creates future partitions and writes to them', async () => {
      const ahead = anIndexRow({ acceptedAt: daysAgo(-5) });
      await lab.index.write([ahead]);
      await Promise.all([
        lab.index.maintain(new Date(), { historyS: 90 * dayS, payloadS: 30 * dayS }),
        lab.index.maintain(new Date(daysAgo(-2)), { historyS: 90 * dayS, payloadS: 30 * dayS }),
      ]);
      await lab.index.write([ahead, { ...ahead, entityIndex: 1 }]);
      expect((await lab.index.view(ahead.connectorId, ahead.eventId, ahead.acceptedAt)).index?.units).toBe(2);
    });

    it('tells the time of its clock', async () => {
      const first = await lab.index.storeTime();
      expect(Math.abs(first.getTime() - Date.now())).toBeLessThan(60_000);
      expect((await lab.index.storeTime()).getTime()).toBeGreaterThanOrEqual(first.getTime());
    });

    it('accepts empty lists', async () => {
      expect(await lab.index.write([])).toEqual([]);
    });

    it('stores with the rows up to which offset partitions are written', async () => {
      const ref = { topic: `test.${randomUUID()}`, partition: 3 };
      expect(await lab.index.position(ref)).toBe(0n);
      expect(await lab.index.write([anIndexRow()], [{ ...ref, from: 0n, next: 7n }])).toEqual([]);
      expect(await lab.index.write([], [{ ...ref, from: 0n, next: 5n }])).toEqual([]);
      expect(await lab.index.position(ref)).toBe(7n);
    });

    it('reports to a reader with a later position that it was restored, and its own position', async () => {
      const [ref, fine] = [3, 4].map((partition) => ({ topic: `test.${randomUUID()}`, partition })) as [
        PartitionRef,
        PartitionRef,
      ];
      for (const one of [ref, fine]) await lab.index.position(one);
      await lab.index.write([], [{ ...ref, from: 0n, next: 7n }]);
      const entry = anIndexRow();
      const behind = await lab.index.write([entry], [{ ...ref, from: 9n, next: 12n }, { ...fine, from: 0n, next: 2n }]);
      expect(behind).toEqual([{ ...ref, next: 7n }]);
      expect([await lab.index.position(ref), await lab.index.position(fine)]).toEqual([7n, 2n]);
      expect(await lab.index.acceptedSince(entry.organizationId, daysAgo(1))).toBe(1);
    });

    it('has position 0 when it lost the row of its position', async () => {
      const ref = { topic: `test.${randomUUID()}`, partition: 3 };
      expect(await lab.index.write([], [{ ...ref, from: 9n, next: 12n }])).toEqual([{ ...ref, next: 0n }]);
      expect(await lab.index.write([], [{ ...ref, from: 0n, next: 2n }])).toEqual([]);
    });
  });
}
