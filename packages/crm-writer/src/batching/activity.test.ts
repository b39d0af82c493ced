import { createActivity } from './activity';
import { createCoalescer } from './coalescer';

const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve); });

describe('the count of active units', () => {
  it('is quiet while each unit waits', async () => {
    const activity = createActivity();
    let answer: () => void = () => undefined;
    activity.enter();
    expect(activity.quiet()).toBe(false);
    const waiting = activity.waiting(new Promise<void>((resolve) => { answer = resolve; }));
    expect(activity.quiet()).toBe(true);
    answer();
    await waiting;
    expect(activity.quiet()).toBe(false);
    activity.leave();
    expect(activity.quiet()).toBe(true);
  });

  it('starts a batch for a call whose unit has ended, because another of its calls failed', async () => {
    const activity = createActivity();
    const run = async (batch: number[]): Promise<number[]> => batch;
    const calls = createCoalescer<number, number>({ maxBatch: 10, maxConcurrent: 1, activity, run });
    activity.enter();
    // A second call under way counts as one more unit; the failed one takes that count away, the end of the unit its own.
    activity.enter();
    const asked = calls.ask(1);
    await activity.waiting(Promise.reject(new Error('lost'))).catch(() => activity.leave());
    activity.leave();
    await turn();
    expect(await asked).toBe(1);
    activity.leave();
    expect(activity.quiet()).toBe(true);
  });
});
