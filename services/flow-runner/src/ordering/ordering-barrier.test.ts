import { createKeyLanes } from '@sluice/key-lanes';
import { laneScope, monotonicClock, type PartitionLease, silentLogger, storeClock } from '@sluice/ports';
import { aHeld, aHold, createMemoryRunStore, ownPartition } from '@sluice/ports/testing';
import { createHeldScopes } from '../held/held-scopes';
import { HeldWindow } from '../held/held-window';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { createOrderingBarrier } from './ordering-barrier';
import { openHeld } from '../intake/take-partition';

const connectorId = 'connector-1';

/** A partition just taken: the store has the given held events of a connector, memory has room for two of its scopes. */
async function lab(held: { n: number; epoch: number; dueAt: number }[]) {
  const store = createMemoryRunStore();
  const lease: PartitionLease = await ownPartition(store);
  await store.settle(held.map(({ n, epoch, dueAt }) => {
    const one = aHeld(lease, BigInt(n), { connectorId, lane: `lane-${n}`, scope: laneScope(`lane-${n}`), dueAt });
    return aHold(lease, { ...one, envelope: { ...one.envelope, ordering_epoch: epoch } });
  }));
  const scopes = createHeldScopes();
  const heldWindow = new HeldWindow({
    topic: lease.topic, heldStore: store, scopes, isLaneUnfinished: () => false, logger: silentLogger,
    storeNow: storeClock(() => 1_000), sleep: () => Promise.resolve(), maxHeldScopes: 2, maxHeldScopesPerConnector: 2,
  });
  const lanes = createKeyLanes<Unit>({ maxInFlight: 10, maxBuffered: 10 });
  const directory = { get: () => null } as unknown as Parameters<typeof createOrderingBarrier>[0]['directory'];
  const barrier = createOrderingBarrier(
    {
      directory, heldStore: store, heldWindow, lanes, monotonicNow: monotonicClock(() => 1_000),
      otherPartitions: { state: () => 'open', look: () => Promise.resolve(), forget: () => undefined },
    },
  );
  await openHeld({ heldStore: store, scopes }, lease);
  const inMemory = (): number[] =>
    held.map(({ n }) => n).filter((n) => scopes.get(lease.topic, lease.partition, laneScope(`lane-${n}`)) !== undefined);
  const unit = (epoch: number, offset: bigint): Unit => ({
    ...testUnit({ connector_id: connectorId, ordering_epoch: epoch }, offset),
    lease,
  });
  return { barrier, heldWindow, inMemory, unit };
}

describe('an event after a change of the ordering', () => {
  it('waits for older held events of another ordering, not for later ones', async () => {
    const { barrier, unit } = await lab([{ n: 5, epoch: 0, dueAt: 1 }]);
    expect(barrier.state(unit(1, 9n))).toBe('unknown');
    expect(await barrier.look(unit(1, 9n))).toBe(false);
    expect([barrier.state(unit(1, 9n)), barrier.state(unit(1, 3n)), barrier.state(unit(0, 9n))]).toEqual([
      'closed',
      'open',
      'open',
    ]);
  });

  it('loads the oldest event it waits for into memory, although scopes that are due earlier fill it', async () => {
    const others = [10, 11, 12, 13].map((n) => ({ n, epoch: 1, dueAt: n }));
    const { barrier, heldWindow, inMemory, unit } = await lab([{ n: 5, epoch: 0, dueAt: 900 }, ...others]);
    while (await heldWindow.refill(() => true));
    expect(inMemory()).not.toContain(5);
    await barrier.look(unit(1, 10n));
    expect(inMemory()).toContain(5);
  });
});
