import { randomUUID } from 'node:crypto';
import { aHeld, aHold, aRow, aSettlement, ownPartition, type RunStoreLab } from './run-store-lab';
import type { PartitionLease } from '../../run-store/partition-ownership';
import type { HeldEvent, HeldScopeState, Settlement } from '../../run-store/run-store';
import { connectorScope, parseScope, scopeText } from '../../run-store/scope-id';

const ended = (lease: PartitionLease, held: HeldEvent): Settlement =>
  aSettlement(lease, {
    unit: held.unit,
    offset: held.offset,
    verdict: { kind: 'rows', rows: [aRow(held.unit)] },
    heldScope: held.scope,
  });
const again = (lease: PartitionLease, held: HeldEvent, over: Partial<HeldEvent>): Settlement => ({
  ...aHold(lease, { ...held, ...over }),
  heldScope: held.scope,
});
const inLane = (lease: PartitionLease, offset: bigint, lane: string, over: Partial<HeldEvent> = {}): HeldEvent =>
  aHeld(lease, offset, { lane, scope: parseScope(`lane:${lane}`), ...over });
const due = 1_790_000_000_000;

/** Reads of scopes without reading their events (ADR 0033). */
export function heldScopeTests(lab: () => RunStoreLab): void {
  const hold = async (lease: PartitionLease, held: readonly HeldEvent[]): Promise<void> =>
    void (await lab().store.settle(held.map((each) => aHold(lease, each))));
  const stateOf = async (
    lease: PartitionLease,
    lane = 'a',
  ): Promise<Pick<HeldScopeState, 'headOffset' | 'dueAt' | 'reason' | 'count'> | undefined> => {
    const [state] = await lab().other.heldScopesOfLanes(lease, [lane]);
    return state && { headOffset: state.headOffset, dueAt: state.dueAt, reason: state.reason, count: state.count };
  };

  describe('held scopes', () => {
    it('of a lane are found by it, with the fields of their first event, and no other lane\'s', async () => {
      const lease = await ownPartition(lab().store);
      const connectorId = randomUUID();
      await hold(lease, [
        inLane(lease, 9n, 'a', { connectorId }),
        inLane(lease, 8n, 'a', { connectorId, dueAt: due, reason: 'late_write' }),
        aHeld(lease, 7n, { connectorId, lane: 'a', scope: parseScope('flow:a|orders'), reason: 'fatal' }),
        inLane(lease, 6n, 'b', { connectorId }),
        inLane(lease, 5n, 'a:1', { connectorId }),
        aHeld(lease, 4n, { connectorId, lane: 'a', scope: connectorScope(connectorId) }),
        aHeld(lease, 3n, { connectorId, lane: 'a', scope: parseScope('event:evt_x/0/first') }),
      ]);
      const found = await lab().other.heldScopesOfLanes(lease, ['a', 'c', 'a']);
      expect(found.sort((one, two) => scopeText(one.scope).localeCompare(scopeText(two.scope)))).toEqual([
        {
          topic: lease.topic,
          partition: lease.partition,
          connectorId,
          lane: 'a',
          scope: parseScope('flow:a|orders'),
          reason: 'fatal',
          dueAt: null,
          headOffset: 7n,
          count: 1,
        },
        {
          topic: lease.topic,
          partition: lease.partition,
          connectorId,
          lane: 'a',
          scope: parseScope('lane:a'),
          reason: 'late_write',
          dueAt: due,
          headOffset: 8n,
          count: 2,
        },
      ]);
      expect(await lab().store.heldScopesOfLanes({ ...lease, partition: 77 }, ['a'])).toEqual([]);
      expect(await lab().store.heldScopesOfLanes(lease, [])).toEqual([]);
    });

    it('have the fields of their first event, also when it changes', async () => {
      const lease = await ownPartition(lab().store);
      const [one, two, three] = [
        inLane(lease, 1n, 'a', { dueAt: due }),
        inLane(lease, 2n, 'a', { dueAt: due + 2 }),
        inLane(lease, 3n, 'a', { reason: 'fatal' }),
      ];
      await hold(lease, [two, three]);
      expect(await stateOf(lease)).toEqual({ headOffset: 2n, dueAt: due + 2, reason: 'retry', count: 2 });
      await hold(lease, [one]);
      expect(await stateOf(lease)).toEqual({ headOffset: 1n, dueAt: due, reason: 'retry', count: 3 });
      await lab().store.settle([
        again(lease, one, { dueAt: due + 9, reason: 'late_write' }),
        again(lease, three, { dueAt: due + 1 }),
      ]);
      expect(await stateOf(lease)).toEqual({ headOffset: 1n, dueAt: due + 9, reason: 'late_write', count: 3 });
      await lab().store.settle([ended(lease, one), ended(lease, two)]);
      expect(await stateOf(lease)).toEqual({ headOffset: 3n, dueAt: due + 1, reason: 'fatal', count: 1 });
      await lab().store.settle([ended(lease, three)]);
      expect(await stateOf(lease)).toBeUndefined();
    });

    it('change when an event moves from one to the other', async () => {
      const lease = await ownPartition(lab().store);
      const connectorId = randomUUID();
      const [one, two] = [1n, 2n].map((offset) =>
        aHeld(lease, offset, { connectorId, lane: 'a', scope: connectorScope(connectorId), dueAt: due }),
      );
      await hold(lease, [one!, two!, inLane(lease, 5n, 'a', { connectorId })]);
      await lab().store.settle([again(lease, one!, { scope: parseScope('lane:a'), dueAt: due + 3 })]);
      expect(await stateOf(lease)).toEqual({ headOffset: 1n, dueAt: due + 3, reason: 'retry', count: 2 });
      expect(await lab().store.heldConnectors(lease, 10)).toMatchObject([
        { connectorId, wide: { headOffset: 2n, lane: null, count: 1 }, narrow: { dueAt: due + 3 } },
      ]);
      await lab().store.settle([again(lease, two!, { scope: parseScope('flow:a|orders') })]);
      expect(await lab().store.heldConnectors(lease, 10)).toEqual([{ connectorId, wide: null, narrow: { dueAt: due } }]);
    });

    it('are listed by due time for each connector, those that wait for a state first, up to the limit', async () => {
      const lease = await ownPartition(lab().store);
      const [one, two] = [randomUUID(), randomUUID()];
      await hold(lease, [
        inLane(lease, 1n, 'a', { connectorId: one, dueAt: due + 2 }),
        inLane(lease, 2n, 'b', { connectorId: one, dueAt: due + 1 }),
        inLane(lease, 3n, 'c', { connectorId: one }),
        aHeld(lease, 4n, { connectorId: one, scope: connectorScope(one), dueAt: due + 3 }),
        inLane(lease, 5n, 'd', { connectorId: two, dueAt: due }),
      ]);
      const scopes = async (...asked: { connectorId: string; limit: number }[]): Promise<string[]> =>
        (await lab().other.heldScopesDue(lease, asked)).map(({ scope }) => scopeText(scope));
      expect(await scopes({ connectorId: one, limit: 9 })).toEqual(['lane:c', 'lane:b', 'lane:a', `connector:${one}`]);
      expect(
        (
          await scopes({ connectorId: one, limit: 2 }, { connectorId: two, limit: 1 }, { connectorId: randomUUID(), limit: 1 })
        ).sort(),
      ).toEqual(['lane:b', 'lane:c', 'lane:d']);
      expect(await scopes()).toEqual([]);
    });

    it('are listed by connector, page by page, each with its own scope and the first of the others', async () => {
      const lease = await ownPartition(lab().store);
      const ids = Array.from({ length: 5 }, () => randomUUID()).sort();
      await hold(
        lease,
        ids.flatMap((connectorId, n) => [
          ...(n === 1
            ? []
            : [10n, 20n].map((offset) =>
                inLane(lease, offset + BigInt(n), `${n}.${offset}`, { connectorId, dueAt: due - Number(offset) }),
              )),
          ...(n === 0
            ? []
            : [aHeld(lease, BigInt(n), { connectorId, scope: connectorScope(connectorId), reason: 'paused' as const })]),
        ]),
      );
      const first = await lab().other.heldConnectors(lease, 3);
      const rest = await lab().other.heldConnectors(lease, 3, first.at(-1)!.connectorId);
      expect([...first, ...rest].map(({ connectorId }) => connectorId)).toEqual(ids);
      expect(first).toMatchObject([
        { wide: null, narrow: { dueAt: due - 20 } },
        { wide: { scope: connectorScope(ids[1]!), reason: 'paused', dueAt: null, headOffset: 1n, count: 1 }, narrow: null },
        { wide: { headOffset: 2n }, narrow: { dueAt: due - 20 } },
      ]);
      expect(await lab().store.heldConnectors({ ...lease, partition: 77 }, 3)).toEqual([]);
    });

    it('are exact also when many settles of one run at once', async () => {
      const lease = await ownPartition(lab().store);
      const held = Array.from({ length: 40 }, (_, n) => inLane(lease, BigInt(n), 'a', { dueAt: due + n }));
      await Promise.all(held.map((each, n) => (n % 2 ? lab().store : lab().other).settle([aHold(lease, each)])));
      expect(await stateOf(lease)).toMatchObject({ headOffset: 0n, dueAt: due, count: 40 });
      await Promise.all(
        held
          .slice(0, 39)
          .map((each, n) =>
            (n % 2 ? lab().store : lab().other).settle([
              n % 3 ? ended(lease, each) : again(lease, each, { scope: parseScope('lane:b'), lane: 'b' }),
            ]),
          ),
      );
      expect(await stateOf(lease)).toEqual({ headOffset: 39n, dueAt: due + 39, reason: 'retry', count: 1 });
      expect(await stateOf(lease, 'b')).toMatchObject({ headOffset: 0n, dueAt: due, count: 13 });
    });
  });
}
