import { createVirtualTime } from './virtual-time';

const start = Date.parse('2026-01-01T00:00:00Z');

describe('virtual time', () => {
  it('runs due callbacks in the order of their time, microtasks before the next callback, and takes no real time', async () => {
    const real = process.hrtime.bigint();
    const seen: string[] = [];
    const time = createVirtualTime(start);
    await time.run(async () => {
      setTimeout(() => seen.push('in a minute'), 60_000);
      setTimeout(() => seen.push('in a second'), 1_000);
      setImmediate(() => {
        seen.push('at once');
        void Promise.resolve().then(() => Promise.resolve()).then(() => seen.push('what follows'));
      });
      setImmediate(() => seen.push('then'));
      clearTimeout(setTimeout(() => seen.push('never'), 10));
      await time.sleep(3_600_000);
    });
    expect(seen).toEqual(['at once', 'what follows', 'then', 'in a second', 'in a minute']);
    expect(process.hrtime.bigint() - real).toBeLessThan(60_000_000_000n);
  });

  it('replaces all clocks while it runs, and restores the real ones', async () => {
    const time = createVirtualTime(start);
    const told = await time.run(async () => {
      await new Promise((resolve) => { setTimeout(resolve, 5_000); });
      return { now: Date.now(), made: new Date().getTime(), since: performance.now(), given: new Date(17).getTime() };
    });
    expect(told).toEqual({ now: start + 5_000, made: start + 5_000, since: 5_000, given: 17 });
    expect(Date.now()).toBeGreaterThan(start + 5_000);
  });

  it('repeats an interval until it is cleared', async () => {
    const time = createVirtualTime(start);
    let struck = 0;
    await time.run(async () => {
      const interval = setInterval(() => { struck += 1; }, 100);
      await time.sleep(1_050);
      clearInterval(interval);
      await time.sleep(1_000);
    });
    expect(struck).toBe(10);
  });

  it('does not let the last callbacks set timers in real time', async () => {
    const real = jest.spyOn(globalThis, 'setTimeout');
    const time = createVirtualTime(start);
    await time.run(async () => {
      await time.sleep(1_000);
      void (async () => {
        for (let step = 0; step < 20; step += 1) await null;
        setTimeout(() => undefined, 10);
      })();
    });
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(real).not.toHaveBeenCalled();
    real.mockRestore();
  });

  it('rejects when nothing is left to run', async () => {
    await expect(createVirtualTime(start).run(() => new Promise(() => undefined))).rejects.toThrow('nothing is left to run');
  });

  it('rejects an endless loop', async () => {
    const again = (): void => void setImmediate(again);
    await expect(createVirtualTime(start).run(async () => {
      again();
      await new Promise(() => undefined);
    })).rejects.toThrow('turns without time passing');
  });
});
