import { randomUUID } from 'node:crypto';
import type { StepItem } from '@sluice/contracts';
import { aHeld, aHold, aUnit, aRow, aSettlement, ownPartition, type RunStoreLab } from './run-store-lab';
import type { PartitionLease } from '../../run-store/partition-ownership';
import type { HeldEvent, Settlement } from '../../run-store/run-store';
import { flowScope, laneScope, parseScope, scopeText } from '../../run-store/scope-id';

const ended = (lease: PartitionLease, held: HeldEvent): Settlement =>
  aSettlement(lease, {
    unit: held.unit,
    offset: held.offset,
    verdict: { kind: 'rows', rows: [aRow(held.unit)] },
    heldScope: held.scope,
  });

const anItem: StepItem = {
  index: 3, key: 'C-1', entity: 'customer', external_id: 'C-1', crm_id: null, status: 'failed', reason: null,
  failure: { kind: 'permanent', code: 'crm_rejected', message: 'no "such" option' },
};

/** Waiting events: their order, their counts, their scopes (ADR 0005). */
export function heldTests(lab: () => RunStoreLab): void {
  describe('held events', () => {
    it('reads a scope in log order, in pages, in any order of holding', async () => {
      const lease = await ownPartition(lab().store);
      const held = [30n, 9n, 100n, 10n].map((offset) => aHeld(lease, offset));
      const other = aHeld(lease, 20n, { scope: laneScope('b') });
      await lab().store.settle([...held.slice(0, 2), other].map((each) => aHold(lease, each)));
      await lab().store.settle(held.slice(2).map((each) => aHold(lease, each)));
      const first = await lab().other.heldRows(lease.topic, lease.partition, laneScope('a'), 3);
      expect(first.map(({ offset }) => offset)).toEqual([9n, 10n, 30n]);
      const rest = await lab().other.heldRows(lease.topic, lease.partition, laneScope('a'), 3, 30n);
      expect(rest).toEqual([held[2]]);
    });

    it('reads as many rows as fit in the text limit, and at least two', async () => {
      const lease = await ownPartition(lab().store);
      const held = [1n, 2n, 3n, 4n].map((offset) => {
        const one = aHeld(lease, offset);
        return { ...one, envelope: { ...one.envelope, payload: { text: 'ä'.repeat(1_000) } } };
      });
      await lab().store.settle(held.map((each) => aHold(lease, each)));
      const each = Buffer.byteLength(JSON.stringify(held[0]!.envelope));
      const read = async (textBytes: number, after?: bigint): Promise<bigint[]> => {
        const rows = await lab().other.heldRows(lease.topic, lease.partition, laneScope('a'), 10, after, textBytes);
        return rows.map(({ offset }) => offset);
      };
      expect(await read(1)).toEqual([1n, 2n]);
      expect(await read(each * 3 + 50)).toEqual([1n, 2n, 3n]);
      expect(await read(each * 3 - 50)).toEqual([1n, 2n]);
      expect(await read(each * 9)).toEqual([1n, 2n, 3n, 4n]);
    });

    it.each([
      ['the rows of their end', (text: string) => ({ ending: [aRow(aUnit(), { error: text })] })],
      [
        'what their attempts left',
        (text: string) => ({
          keptSteps: {
            s: { place: 0, action: 'post', about: 'a', authored: 'b', epoch: null, wrote: true, output: { text }, items: [] },
          },
        }),
      ],
    ])('counts %s as text', async (_what, partOf) => {
      const lease = await ownPartition(lab().store);
      const held = [1n, 2n, 3n].map((offset) => aHeld(lease, offset, partOf('x'.repeat(5_000))));
      await lab().store.settle(held.map((each) => aHold(lease, each)));
      const rows = await lab().other.heldRows(lease.topic, lease.partition, laneScope('a'), 10, undefined, 12_000);
      expect(rows.map(({ offset }) => offset)).toEqual([1n, 2n]);
    });

    it('keeps every field', async () => {
      const lease = await ownPartition(lab().store);
      const held = aHeld(lease, 7n, {
        reason: 'fatal',
        scope: parseScope('flow:a|orders'),
        flowName: 'orders',
        dueAt: 1_790_000_000_123,
        attempts: 2,
        tries: 5,
        wrote: true,
        lastError: '401',
        lastErrorCode: 'crm_forbidden',
        mayLandUntil: 1_790_000_000_456,
        keptSteps: {
          all: {
            place: 2, action: 'upsert_many', items: [anItem], about: 'a', authored: 'b', epoch: 3, wrote: true,
            output: { total: 1, text: 'null \0' },
          },
        },
      });
      const ending = [aRow(held.unit, { error: 'null \0 quote "', steps: [] })];
      const ended = aHeld(lease, 8n, { reason: 'late_write', mayLandUntil: 1_790_000_000_789, ending });
      await lab().store.settle([aHold(lease, held), aHold(lease, ended)]);
      expect(await lab().store.heldRows(lease.topic, lease.partition, held.scope, 1)).toEqual([held]);
      expect(await lab().store.heldRows(lease.topic, lease.partition, ended.scope, 1)).toEqual([ended]);
      await lab().store.settle([
        aHold(lease, { ...held, mayLandUntil: null, keptSteps: null, ending }),
        aHold(lease, { ...ended, mayLandUntil: 1_790_000_001_000 }),
      ]);
      expect(await lab().store.heldRows(lease.topic, lease.partition, held.scope, 1)).toMatchObject([
        { mayLandUntil: null, keptSteps: null, ending },
      ]);
      expect(await lab().store.heldRows(lease.topic, lease.partition, ended.scope, 1)).toMatchObject([
        { mayLandUntil: 1_790_000_001_000, ending },
      ]);
    });

    it('counts by reason', async () => {
      const lease = await ownPartition(lab().store);
      const connectorId = randomUUID();
      const held = [
        aHeld(lease, 1n, { connectorId, reason: 'counterpart' }),
        aHeld(lease, 2n, { connectorId }),
        aHeld(lease, 3n, { connectorId, scope: parseScope('connector:x'), reason: 'paused' }),
      ];
      await lab().store.settle(held.map((each) => aHold(lease, each)));
      expect(await lab().store.heldCounts(connectorId)).toEqual({ retry: 1, counterpart: 1, paused: 1 });
    });

    it('gives the offset of the oldest event of each ordering of a connector', async () => {
      const lease = await ownPartition(lab().store);
      const connectorId = randomUUID();
      const of = (epoch: number | undefined, offset: bigint, scope: string, connector = connectorId): HeldEvent => {
        const held = aHeld(lease, offset, { connectorId: connector, scope: parseScope(scope) });
        return { ...held, envelope: { ...held.envelope, ...(epoch === undefined ? {} : { ordering_epoch: epoch }) } };
      };
      const held = [
        of(undefined, 4n, 'lane:a'), of(0, 3n, 'flow:b|orders'), of(0, 1n, 'event:evt_x/0/first'),
        of(2, 9n, 'lane:c'), of(2, 8n, `connector:${connectorId}`), of(5, 2n, 'lane:d', randomUUID()),
        of(7, 10n, 'event:evt_y/0/first'),
      ];
      await lab().store.settle(held.map((each) => aHold(lease, each)));
      const orderings = await lab().other.heldOrderings(lease, connectorId);
      expect(orderings.sort((a, b) => a.epoch - b.epoch)).toEqual([
        { epoch: 0, offset: 3n, lane: held[1]!.lane },
        { epoch: 2, offset: 8n, lane: held[4]!.lane },
      ]);
      expect(await lab().store.heldOrderings({ ...lease, partition: 77 }, connectorId)).toEqual([]);
      await lab().store.settle([ended(lease, held[1]!), ended(lease, held[0]!)]);
      expect(await lab().store.heldOrderings(lease, connectorId)).toEqual([{ epoch: 2, offset: 8n, lane: held[4]!.lane }]);
    });

    it('gives the age of the oldest event per topic, over all scopes and partitions', async () => {
      const [lease, other] = [await ownPartition(lab().store), await ownPartition(lab().store)];
      const at = (held: HeldEvent, accepted_at: string): HeldEvent => ({ ...held, envelope: { ...held.envelope, accepted_at } });
      const held = [
        at(aHeld(lease, 9n, { scope: parseScope('lane:z') }), '2001-01-01T00:00:02.000Z'),
        at(aHeld(lease, 8n), '2001-01-01T00:00:01.500Z'),
        at(aHeld(lease, 10n), '2001-01-01T00:00:03.000Z'),
      ];
      await lab().store.settle([
        ...held.map((each) => aHold(lease, each)),
        aHold(other, at(aHeld(other, 1n), '2001-01-01T00:00:04.000Z')),
      ]);
      expect((await lab().store.oldestHeld())[lease.topic]).toBe(Date.parse('2001-01-01T00:00:01.500Z'));
      await lab().store.settle([ended(lease, held[1]!)]);
      expect((await lab().store.oldestHeld())[lease.topic]).toBe(Date.parse('2001-01-01T00:00:02.000Z'));
    });

    it('counts the rows left in a scope in the same transaction, down to zero', async () => {
      const lease = await ownPartition(lab().store);
      const [one, two] = [aHeld(lease, 1n), aHeld(lease, 2n)];
      expect((await lab().store.settle([aHold(lease, one), aHold(lease, two)])).heldLeft).toEqual(new Map([['lane:a', 2]]));
      expect((await lab().store.settle([ended(lease, one)])).heldLeft).toEqual(new Map([['lane:a', 1]]));
      const repeat = aSettlement(lease, { unit: two.unit, verdict: { kind: 'none' }, heldScope: two.scope });
      expect((await lab().store.settle([repeat])).heldLeft).toEqual(new Map([['lane:a', 0]]));
      expect(await lab().store.heldScopesOfLanes(lease, ['a'])).toEqual([]);
    });

    it('holds a unit again at its offset, in another scope if given', async () => {
      const lease = await ownPartition(lab().store);
      const held = aHeld(lease, 1n);
      await lab().store.settle([aHold(lease, held), aHold(lease, aHeld(lease, 2n))]);
      const scope = flowScope('a', 'orders');
      const again = { ...held, scope, reason: 'breaker_open' as const, attempts: 2, dueAt: 1_790_000_000_000 };
      const answer = await lab().store.settle([{ ...aHold(lease, again), heldScope: held.scope }]);
      expect(answer.heldLeft).toEqual(new Map([['flow:a|orders', 1], ['lane:a', 1]]));
      expect(await lab().store.heldRows(lease.topic, lease.partition, again.scope, 5)).toEqual([again]);
    });

    it('counts the same when many settles of one scope run at once', async () => {
      const lease = await ownPartition(lab().store);
      const held = Array.from({ length: 40 }, (_, n) => aHeld(lease, BigInt(n)));
      await Promise.all(held.map((each, n) => (n % 2 ? lab().store : lab().other).settle([aHold(lease, each)])));
      expect((await lab().store.heldScopesOfLanes(lease, ['a']))[0]?.count).toBe(40);
      const answers = await Promise.all(held.map((each, n) => (n % 2 ? lab().store : lab().other).settle([ended(lease, each)])));
      expect(answers.map(({ heldLeft }) => heldLeft.get(scopeText(laneScope('a')))).sort((a, b) => a! - b!)).toEqual(
        Array.from({ length: 40 }, (_, n) => n),
      );
    });

    it('refuses to hold for an old owner', async () => {
      const lease = await ownPartition(lab().store);
      const stale = { ...lease, epoch: lease.epoch - 1n };
      expect(await lab().store.settle([aHold(stale, aHeld(lease, 1n))])).toEqual({
        refused: [0],
        rebound: [],
        revisions: [],
        heldLeft: new Map(),
        breakers: [],
      });
      expect(await lab().store.heldScopesOfLanes(lease, ['a'])).toEqual([]);
    });
  });
}
