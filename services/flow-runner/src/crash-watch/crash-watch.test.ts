import { createActivity } from '@sluice/crm-writer';
import { monotonicClock, silentLogger } from '@sluice/ports';
import { createMemoryRunStore } from '@sluice/ports/testing';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { CrashWatch } from './crash-watch';

const lease = { topic: 'events.inbound', partition: 3, epoch: 1n };
const never = new Promise<string>(() => undefined);

/** One store over several lives of a runner; `die` starts the next life. */
function lab(aloneDeaths = 2) {
  const store = createMemoryRunStore().crashWatch;
  let now = 0;
  const born = (): CrashWatch =>
    new CrashWatch({
      store,
      aloneDeaths,
      watchMs: 60_000,
      windowSize: 400,
      activity: createActivity(),
      monotonicNow: monotonicClock(() => now),
      sleep: async (ms) => { now += ms; },
      logger: silentLogger,
    });
  let watch = born();
  return {
    store,
    pass: (ms: number) => { now += ms; },
    watch: () => watch,
    die: async (unclean = true, committed = 0n) => {
      watch = born();
      await watch.taken(lease, unclean, committed);
    },
    /** Begins a unit; resolves with its result, never while `attempt` has not ended. */
    run: (offset: bigint, attempt: () => Promise<string> = () => Promise.resolve('ran')) =>
      watch.run(unitAt(offset), { attempt, quarantine: (deaths) => Promise.resolve(`quarantined after ${deaths}`) }),
  };
}
const unitAt = (offset: bigint): Unit => ({ ...testUnit({ event_id: `evt_${offset}` }, offset), lease });
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('CrashWatch', () => {
  it('quarantines a unit that twice ended its runner while it was alone, and nothing else', async () => {
    const { die, run } = lab();
    await die();
    // The second death, and the third, of a group: ten are under way, the first one is the culprit.
    const all = Array.from({ length: 10 }, (_, n) => BigInt(n + 1));
    for (let death = 2; death <= 3; death += 1) {
      for (const offset of all) void run(offset, () => never);
      await settled();
      await die();
    }
    // The fourth and the fifth: now it is alone.
    for (let death = 4; death <= 5; death += 1) {
      void run(1n, () => never);
      await settled();
      await die();
    }
    expect(await run(1n)).toBe('quarantined after 5');
    for (const offset of all.slice(1)) expect(await run(offset)).toBe('ran');
  });

  it.each([
    ['counts as many deaths for an event that was held before the first one', 1_000n, 'quarantined after 4'],
    ['needs one more death for an event that was not in hand at the first one', 0n, 'ran'],
  ])('%s', async (_, committed, after) => {
    const { die, run } = lab();
    for (let death = 1; death < 4; death += 1) {
      await die(true, committed);
      void run(500n, () => never);
      await settled();
    }
    await die(true, committed);
    expect(await run(500n)).toBe(after);
  });

  it('never ends a unit because of deaths beside others', async () => {
    const { die, run } = lab();
    await die();
    for (let death = 0; death < 20; death += 1) {
      for (const offset of [1n, 2n]) void run(offset, () => never);
      await settled();
      // Each time the other one of the two is first, so that none is alone twice in a row without having ended in between.
      await die();
      for (const offset of [1n, 2n]) expect(await run(offset)).toBe('ran');
      await settled();
    }
  });

  it('ends the suspicion of a unit whose attempt the process outlives', async () => {
    const { die, run } = lab();
    await die();
    for (let death = 2; death <= 3; death += 1) {
      void run(1n, () => never);
      await settled();
      await die();
    }
    // Once alone when its runner died. Now it ends well, and begins anew.
    expect(await run(1n)).toBe('ran');
    await settled();
    void run(1n, () => never);
    await settled();
    await die();
    expect(await run(1n)).toBe('ran');
  });

  it('tries the units of a group while few others of it run, and a suspect alone', async () => {
    const { die, run } = lab();
    await die();
    const all = Array.from({ length: 200 }, (_, n) => BigInt(n));
    const begun: bigint[] = [];
    const begin = (offset: bigint) => run(offset, async () => { begun.push(offset); return never; });
    for (const offset of all) void begin(offset);
    await settled();
    expect(begun).toHaveLength(200);
    await die();
    begun.length = 0;
    for (const offset of all) void begin(offset);
    // One that nobody suspects runs beside the group.
    void begin(5_000n);
    await settled();
    expect(begun).toHaveLength(65);
    expect(begun).toContain(5_000n);
    await die();
    begun.length = 0;
    for (const offset of all.slice(0, 3)) void begin(offset);
    await settled();
    expect(begun).toEqual([0n]);
  });

  it('writes nothing while nothing crashes, and stops watching after a while', async () => {
    const { die, run, store, pass } = lab();
    await die(false);
    void run(1n, () => never);
    await settled();
    expect(await store.countDeaths(lease)).toEqual([]);
    await die();
    pass(60_001);
    void run(1n, () => never);
    await settled();
    expect(await store.countDeaths(lease)).toEqual([]);
  });

  it('counts no death for a partition that was released', async () => {
    const { die, run, watch, store } = lab();
    await die();
    void run(1n, () => never);
    await settled();
    await watch().givenUp(lease);
    expect(await store.countDeaths(lease)).toEqual([]);
  });

  it('deletes the note of a unit when its attempt ends', async () => {
    const { die, run, store } = lab();
    await die();
    await run(1n);
    await expect(run(2n, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
    await settled();
    expect(await store.countDeaths(lease)).toEqual([]);
  });
});
