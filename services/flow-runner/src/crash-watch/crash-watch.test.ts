import { createActivity } from '@sluice/crm-writer';
import { monotonicClock, silentLogger } from '@sluice/ports';
import { createMemoryRunStore } from '@sluice/ports/testing';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { CrashWatch } from './crash-watch';

const lease = { topic: 'events.inbound', partition: 3, epoch: 1n };
const never = new Promise<string>(() => undefined);

/** One store over several lives of a runner; `die` starts the next life. */
function lab(maxDeaths = 3) {
  const store = createMemoryRunStore().crashWatch;
  let now = 0;
  const born = (): CrashWatch =>
    new CrashWatch({
      store,
      maxDeaths,
      watchMs: 60_000,
      windowSize: 100,
      activity: createActivity(),
      monotonicNow: monotonicClock(() => now),
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
  it('quarantines a unit that was under way when its runner died three times, and nothing else', async () => {
    const { die, run } = lab();
    await die();
    // The second death: three are under way, the first one is the culprit.
    for (const offset of [1n, 2n, 3n]) void run(offset, () => never);
    await settled();
    await die();
    // The third: now it is alone.
    void run(1n, () => never);
    await settled();
    await die();
    expect(await run(1n)).toBe('quarantined after 3');
    expect(await run(2n)).toBe('ran');
    expect(await run(3n)).toBe('ran');
  });

  it.each([
    ['counts as many deaths for an event that was held before the first one', 1_000n, 'quarantined after 3'],
    ['needs one more death for an event that was not in hand at the first one', 0n, 'ran'],
  ])('counts %s', async (_, committed, after) => {
    const { die, run } = lab();
    for (let death = 1; death < 3; death += 1) {
      await die(true, committed);
      void run(500n, () => never);
      await settled();
    }
    await die(true, committed);
    expect(await run(500n)).toBe(after);
  });

  it('runs a suspect alone', async () => {
    const { die, run } = lab();
    await die();
    void run(1n, () => never);
    await settled();
    await die();
    let other: (value: string) => void = () => undefined;
    const begun: string[] = [];
    const beside = run(500n, () => new Promise<string>((resolve) => { begun.push('other'); other = resolve; }));
    const suspect = run(1n, async () => { begun.push('suspect'); return 'ran'; });
    await settled();
    expect(begun).toEqual(['other']);
    other('done');
    expect([await beside, await suspect]).toEqual(['done', 'ran']);
    expect(begun).toEqual(['other', 'suspect']);
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
