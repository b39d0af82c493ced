import type { ReceivedMessage } from '@sluice/ports';
import { createPartitionPump, type PartitionPump } from './partition-pump';

/** Each of 100 KiB: three that wait are more than may wait. */
const value = Buffer.alloc(100 * 1024);
const messages = (...offsets: number[]): ReceivedMessage[] =>
  offsets.map((offset) => ({ partition: 0, offset: BigInt(offset), key: 'k', value, timestamp: 0 }));
/** Pushes messages of these offsets, fetched from the first of them. */
const push = (pump: PartitionPump, ...offsets: number[]): boolean =>
  pump.push(messages(...offsets), { from: BigInt(offsets[0]!), logEnd: 100n });
const turn = (): Promise<void> => new Promise(setImmediate);

function setUp() {
  const delivered: number[][] = [];
  const flow: boolean[] = [];
  const waiting: (() => void)[] = [];
  const pump = createPartitionPump({
    deliver: (batch) => {
      delivered.push(batch.map(({ offset }) => Number(offset)));
      return new Promise((resolve) => waiting.push(resolve));
    },
    flow: (open) => flow.push(open),
    failed: () => undefined,
  });
  const finish = async (): Promise<void> => {
    waiting.shift()?.();
    await turn();
  };
  return { pump, delivered, flow, finish };
}

describe('createPartitionPump', () => {
  it('delivers one batch at a time and stops fetching while too much waits', async () => {
    const { pump, delivered, flow, finish } = setUp();
    pump.start();
    push(pump, 0, 1);
    push(pump, 2);
    push(pump, 3);
    expect([delivered, flow]).toEqual([[[0, 1]], []]);
    push(pump, 4);
    expect([delivered, flow]).toEqual([[[0, 1]], [false]]);
    await finish();
    expect([delivered, flow]).toEqual([[[0, 1], [2, 3, 4]], [false, true]]);
    await finish();
    push(pump, 5);
    expect([delivered, flow]).toEqual([[[0, 1], [2, 3, 4], [5]], [false, true]]);
  });

  it('holds everything until started and while paused', async () => {
    const { pump, delivered, finish } = setUp();
    push(pump, 0);
    expect(delivered).toEqual([]);
    pump.start();
    pump.pause();
    await finish();
    push(pump, 1);
    await turn();
    expect(delivered).toEqual([[0]]);
    pump.resume();
    expect(delivered).toEqual([[0], [1]]);
  });

  it('leaves out messages that were delivered before', () => {
    const { pump, delivered } = setUp();
    pump.start();
    push(pump, 5, 6);
    push(pump, 5, 6);
    expect([delivered, pump.next()]).toEqual([[[5, 6]], 7n]);
  });

  it('delivers known offsets again when the log has lost its end', () => {
    const { pump, delivered } = setUp();
    pump.push(messages(5, 6), { from: 5n, logEnd: 7n });
    pump.push(messages(0, 1), { from: 0n, logEnd: 7n });
    pump.push(messages(0, 1), { from: 0n, logEnd: 3n });
    pump.start();
    expect([delivered, pump.next()]).toEqual([[[5, 6, 0, 1]], 2n]);
  });

  it('closes when the handler is done and drops waiting messages', async () => {
    const { pump, delivered, finish } = setUp();
    pump.start();
    push(pump, 0);
    push(pump, 1);
    let closed = false;
    void pump.close().then(() => (closed = true));
    await turn();
    expect(closed).toBe(false);
    await finish();
    expect([closed, delivered]).toEqual([true, [[0]]]);
  });

  it('accepts messages fetched from the offset of a rewind, and refuses those fetched before it', async () => {
    const { pump, delivered, flow, finish } = setUp();
    pump.start();
    push(pump, 5, 6);
    push(pump, 7, 8, 9);
    pump.rewind(2n);
    expect([pump.next(), flow]).toEqual([2n, [false, true]]);
    expect(push(pump, 10, 11)).toBe(false);
    expect(push(pump, 2, 3)).toBe(true);
    await finish();
    expect(delivered).toEqual([[5, 6], [2, 3]]);
    await finish();
    expect(push(pump, 4)).toBe(true);
    expect(delivered).toEqual([[5, 6], [2, 3], [4]]);
  });

  it('continues at the start of the log when the offset of a rewind is no longer kept', () => {
    const { pump, delivered } = setUp();
    pump.start();
    pump.rewind(2n);
    expect([push(pump, 10, 11), push(pump, 10, 11)]).toEqual([false, true]);
    expect(delivered).toEqual([[10, 11]]);
  });
});
