import { monotonicClock, silentLogger } from '@sluice/ports';
import { createMetrics } from '../observe/create-metrics';
import { type OpenReader } from './topic-reader';
import { ReadingSupervisor } from './reading-supervisor';

interface FakeReader extends OpenReader {
  fail(error: Error): void;
}

/** Readers that the test opens and closes, on a clock that only sleeps move. */
function lab() {
  const told: string[] = [];
  const readers: FakeReader[] = [];
  const slept: number[] = [];
  let time = 0;
  let leaving: Promise<void> = Promise.resolve();
  const refusals: Error[] = [];
  const open = async (): Promise<FakeReader> => {
    const refusal = refusals.shift();
    told.push(refusal ? 'refused' : 'open');
    if (refusal) throw refusal;
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<unknown>((resolve) => (fail = resolve));
    const reader = { failed, fail, stop: async () => { told.push('leave'); await leaving; } };
    readers.push(reader);
    return reader;
  };
  const supervisor = new ReadingSupervisor({
    waitsMs: [1_000, 2_000, 5_000], deadAfterMs: 60_000, logger: silentLogger, metrics: createMetrics({ service: 'test' }),
    monotonicNow: monotonicClock(() => time),
    sleep: async (ms) => {
      slept.push(ms);
      time += ms;
    },
  });
  const leaveWhen = (promise: Promise<void>): void => { leaving = promise; };
  const pass = (ms: number): void => { time += ms; };
  const last = (): FakeReader => readers.at(-1)!;
  const waited = (): number => slept.splice(0).reduce((sum, ms) => sum + ms, 0);
  const reader = supervisor.reader({ topic: 't', reader: 'g' }, open);
  return { told, supervisor, refusals, leaveWhen, pass, last, waited, reader };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('TopicReader', () => {
  it('opens once for all that ask together, also while it still leaves', async () => {
    const { told, reader, leaveWhen } = lab();
    let left: () => void = () => undefined;
    leaveWhen(new Promise((resolve) => (left = resolve)));
    await reader.start();
    for (let lease = 0; lease < 24; lease += 1) reader.renew();
    await turns();
    reader.renew();
    left();
    await turns();
    expect(told).toEqual(['open', 'leave', 'open']);
    reader.renew();
    await turns();
    expect(told).toEqual(['open', 'leave', 'open', 'leave', 'open']);
  });

  it('start rejects when it cannot be opened at all', async () => {
    const { reader, refusals } = lab();
    refusals.push(new Error('no broker'));
    await expect(reader.start()).rejects.toThrow('no broker');
  });

  it('is opened anew after it failed, and when that fails again, after growing waits', async () => {
    const { told, reader, refusals, last, waited, supervisor } = lab();
    await reader.start();
    refusals.push(new Error('no broker'), new Error('no broker'), new Error('no broker'));
    last().fail(new Error('a bug'));
    await turns();
    expect(told).toEqual(['open', 'leave', 'refused', 'refused', 'refused', 'open']);
    expect(waited()).toBe(1_000 + 2_000 + 5_000 + 5_000);
    expect(supervisor.ready()).toEqual({ ok: true });
  });

  it('continues with growing waits when it fails soon after it was opened, and resets them once it has lasted', async () => {
    const { reader, last, waited, pass } = lab();
    await reader.start();
    for (const expected of [1_000, 2_000, 5_000]) {
      last().fail(new Error('a bug'));
      await turns();
      expect(waited()).toBe(expected);
    }
    pass(5_000);
    last().fail(new Error('a bug'));
    await turns();
    expect(waited()).toBe(1_000);
  });

  it('is not opened again once it was stopped, nor while it ends', async () => {
    const { told, reader, last } = lab();
    await reader.start();
    reader.openNoMore();
    reader.renew();
    last().fail(new Error('a bug'));
    await turns();
    await reader.stop();
    expect(told).toEqual(['open', 'leave']);
  });

  it('follows on: `start` resolves when a later follower has caught up', async () => {
    const { supervisor } = lab();
    let opened = 0;
    const follower = supervisor.follower({ topic: 'changes', reader: 'r' }, async () => {
      opened += 1;
      const never = new Promise<void>(() => undefined);
      const stop = async (): Promise<void> => undefined;
      if (opened === 1) return { failed: Promise.resolve(new Error('a bug')), caughtUp: never, stop };
      return { failed: never, caughtUp: Promise.resolve(), stop };
    });
    await follower.start();
    expect(opened).toBe(2);
  });
});
