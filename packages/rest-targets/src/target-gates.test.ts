import { monotonicClock } from '@sluice/ports';
import { createTargetGates, type Entrance, type GateReport } from './target-gates';

const lab = (options: { slots?: number; maxWaiting?: number } = {}) => {
  let at = 0;
  const gates = createTargetGates(
    { monotonicNow: monotonicClock(() => at), slots: 2, maxWaiting: 1, failingAfterMs: 30_000, ...options },
  );
  const enter = (patient = true): Promise<Entrance> => gates.enter('erp', patient);
  const report = async (given: GateReport): Promise<void> => {
    const entrance = await enter();
    if (!entrance.ok) throw new Error(entrance.why);
    entrance.leave(given);
  };
  return { gates, enter, report, pass: (ms: number) => { at += ms; } };
};
const leave = (entrance: Entrance, report: GateReport = { kind: 'answered' }): void => {
  if (!entrance.ok) throw new Error(entrance.why);
  entrance.leave(report);
};

describe('the gate of a destination', () => {
  it('lets a limited number in at once, the others wait in their order', async () => {
    const { enter } = lab({ maxWaiting: 2 });
    const [first, second] = [await enter(), await enter()];
    const order: string[] = [];
    const enterAndLeave = async (name: string): Promise<void> => {
      const entrance = await enter();
      order.push(name);
      leave(entrance);
    };
    const waiting = Promise.all(['third', 'fourth'].map(enterAndLeave));
    // It is awaited below: a failure before that would end the process instead of the test.
    waiting.catch(() => undefined);
    await Promise.resolve();
    expect(order).toEqual([]);
    leave(first);
    await waiting;
    expect(order).toEqual(['third', 'fourth']);
    leave(second);
  });

  it('turns a request away when too many wait, and at once when it does not want to wait', async () => {
    const { enter } = lab();
    const [first, second] = [await enter(), await enter()];
    const waiting = enter();
    expect(await enter()).toMatchObject({ ok: false, waitMs: 2_000, why: 'it is busy' });
    expect(await enter(false)).toMatchObject({ ok: false, why: 'it is busy' });
    leave(first);
    leave(await waiting);
    leave(second);
  });

  it('is closed for the Retry-After of the destination, five minutes at most', async () => {
    const { enter, report, pass } = lab();
    await report({ kind: 'refused', forMs: 7_000 });
    expect(await enter()).toMatchObject({ ok: false, waitMs: 7_000, why: 'it asked to wait' });
    pass(7_000);
    await report({ kind: 'refused', forMs: 86_400_000 });
    expect(await enter()).toMatchObject({ ok: false, waitMs: 300_000 });
  });

  it('a slot that becomes free while the gate is closed is given to no request', async () => {
    const { enter, pass } = lab();
    const [first, second] = [await enter(), await enter()];
    const waiting = enter();
    leave(first, { kind: 'refused', forMs: 1_000 });
    expect(await waiting).toMatchObject({ ok: false, why: 'it asked to wait' });
    leave(second);
    pass(1_000);
    expect((await Promise.all([enter(), enter()])).map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('a destination that fails every call for a while is tried by one request at a time, after growing waits', async () => {
    const { enter, report, pass } = lab();
    await report({ kind: 'failed' });
    pass(30_000);
    for (let failures = 2; failures < 10; failures += 1) await report({ kind: 'failed' });
    await report({ kind: 'failed' });
    expect(await enter()).toMatchObject({ ok: false, waitMs: 1_000, why: 'it fails every call' });
    pass(1_000);
    const probe = await enter();
    expect(await enter()).toMatchObject({ ok: false, waitMs: 2_000 });
    leave(probe, { kind: 'failed' });
    expect(await enter()).toMatchObject({ ok: false, waitMs: 2_000 });
    pass(2_000);
    leave(await enter());
    expect((await Promise.all([enter(), enter()])).map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('failures between successful calls do not close the gate', async () => {
    const { enter, report, pass } = lab();
    for (let turn = 0; turn < 20; turn += 1) {
      await report({ kind: 'failed' });
      pass(10_000);
      if (turn % 5 === 0) await report({ kind: 'answered' });
    }
    expect(await enter()).toMatchObject({ ok: true });
  });
});
