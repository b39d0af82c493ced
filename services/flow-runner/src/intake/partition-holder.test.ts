import { createKeyLanes } from '@sluice/key-lanes';
import { monotonicClock, type PartitionLease, silentLogger } from '@sluice/ports';
import { createMetrics, ReadingSupervisor } from '@sluice/service-kit';
import { createHeldScopes } from '../held/held-scopes';
import type { PartitionLeases } from '../partitions/partition-leases';
import { turns } from '@sluice/ports/testing';
import type { Unit } from '../units/unit';
import { createPartitionHolder } from './partition-holder';

const topic = 'events.inbound';

/** A holder whose leases the test grants; time passes only in `pass`. */
function lab() {
  const told: string[] = [];
  const waiting = new Map<number, (lease: PartitionLease | null) => void>();
  const sleepers: { until: number; wake(): void }[] = [];
  let at = 0;
  let failing = 0;
  const leases: Partial<PartitionLeases> = {
    acquire: ({ partition }) => new Promise((resolve) => waiting.set(partition, resolve)),
    release: ({ partition }) => { told.push(`release ${partition}`); waiting.get(partition)?.(null); return Promise.resolve(); },
    abandon: ({ partition }) => { told.push(`abandon ${partition}`); },
    takenUnclean: () => false,
    settledOffset: () => null,
    follow: () => undefined,
    endFollowing: () => undefined,
  };
  const monotonicNow = monotonicClock(() => at);
  const sleep = (ms: number): Promise<void> => new Promise((wake) => { sleepers.push({ until: at + ms, wake }); });
  const supervisor = new ReadingSupervisor({
    waitsMs: [1_000], deadAfterMs: 60_000, logger: silentLogger, metrics: createMetrics({ service: 'test' }), monotonicNow, sleep,
  });
  const holder = createPartitionHolder({
    topic,
    group: 'g',
    giveBackMs: 9_000,
    lanes: createKeyLanes<Unit>({ maxInFlight: 10, maxBuffered: 10 }),
    scopes: createHeldScopes(),
    logger: silentLogger,
    leases: leases as PartitionLeases,
    bus: { lag: () => Promise.resolve([]) },
    heldStore: { heldConnectors: () => (failing-- > 0 ? Promise.reject(new Error('refused')) : Promise.resolve([])) },
    subscribed: () =>
      Promise.resolve({
        rewind: (partition, next) => {
          told.push(`rewind ${partition} to ${next}`);
        },
      }),
    crashWatch: { taken: () => Promise.resolve(), givenUp: () => Promise.resolve() },
    monotonicNow,
    sleep,
    supervisor,
  });
  const pass = async (ms: number): Promise<void> => {
    for (const end = at + ms; at < end; at += 20) {
      for (const sleeper of sleepers.splice(0)) (sleeper.until <= at ? sleeper.wake() : sleepers.push(sleeper));
      await turns(1);
    }
  };
  const give = async (partition: number): Promise<void> => {
    await turns();
    waiting.get(partition)!({ topic, partition, epoch: 1n });
    await turns();
  };
  return { told, holder, supervisor, pass, give, failNext: () => { failing = 1; } };
}

describe('partitions of a runner', () => {
  it('are released once nothing of them is under way', async () => {
    const { told, holder, pass, give } = lab();
    holder.assigned(1);
    await give(1);
    holder.count(1, 1);
    holder.revoked(1);
    await pass(5_000);
    expect(told).toEqual([]);
    holder.count(1, -1);
    await pass(100);
    expect(told).toEqual(['release 1']);
  });

  it('are not released while a call may still take effect: their lease expires', async () => {
    const { told, holder, pass, give } = lab();
    holder.assigned(1);
    await give(1);
    holder.count(1, 1);
    holder.revoked(1);
    await pass(10_000);
    expect(told).toEqual(['abandon 1']);
  });

  it('with work under way are left to run out when a stop has no more patience', async () => {
    const { told, holder, give } = lab();
    for (const partition of [1, 2]) {
      holder.assigned(partition);
      await give(partition);
    }
    holder.count(2, 1);
    holder.abandonBusy();
    expect(told).toEqual(['abandon 2']);
  });

  it('are taken again after an unexpected failure, and readiness reports it meanwhile', async () => {
    const { told, holder, supervisor, pass, give, failNext } = lab();
    holder.assigned(1);
    failNext();
    await give(1);
    expect(told).toEqual(['release 1']);
    expect(supervisor.ready()).toMatchObject({ ok: false, reason: expect.stringContaining('events.inbound, partition 1') });
    await pass(1_100);
    await give(1);
    expect(supervisor.ready()).toEqual({ ok: true });
    expect(await holder.get(1)!.ready).toMatchObject({ partition: 1 });
  });

  it('of another owner are no longer waited for once the runner stops', async () => {
    const { told, holder, give } = lab();
    holder.assigned(1);
    await give(1);
    holder.assigned(2);
    await turns();
    const ready = holder.get(2)!.ready;
    holder.giveUpWaiting();
    expect(await ready).toBeNull();
    expect(told).toEqual(['release 2']);
  });

  it.each(['while its older lease is not released yet', 'after the stop has begun'])(
    'are not taken by a runner that stops: one that it was assigned %s', async (when) => {
      const { told, holder, pass, give } = lab();
      holder.assigned(1);
      await give(1);
      if (when.startsWith('after')) holder.giveUpWaiting();
      holder.count(1, 1);
      holder.revoked(1);
      holder.assigned(1);
      await turns();
      const ready = holder.get(1)!.ready;
      holder.giveUpWaiting();
      told.length = 0;
      holder.count(1, -1);
      await pass(100);
      expect(told).toEqual(['release 1']);
      expect(await Promise.race([ready, turns(20).then(() => 'waits')])).toBeNull();
    });
});
