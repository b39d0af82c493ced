import type { ReceivedMessage } from '@sluice/ports';
import { createPartitionPump } from './partition-pump';

const messages = (...offsets: number[]): ReceivedMessage[] =>
  offsets.map((offset) => ({ partition: 0, offset: BigInt(offset), key: 'k', value: null, timestamp: 0 }));
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
  it('hands over one batch at a time and stops the flow while another waits', async () => {
    const { pump, delivered, flow, finish } = setUp();
    pump.start();
    pump.push(messages(0, 1));
    expect(flow).toEqual([]);
    pump.push(messages(2));
    pump.push(messages(3));
    expect([delivered, flow]).toEqual([[[0, 1]], [false]]);
    await finish();
    expect([delivered, flow]).toEqual([[[0, 1], [2, 3]], [false, true]]);
    await finish();
    pump.push(messages(4));
    expect(delivered).toEqual([[0, 1], [2, 3], [4]]);
  });

  it('holds everything until started and while paused', async () => {
    const { pump, delivered, finish } = setUp();
    pump.push(messages(0));
    expect(delivered).toEqual([]);
    pump.start();
    pump.pause();
    await finish();
    pump.push(messages(1));
    await turn();
    expect(delivered).toEqual([[0]]);
    pump.resume();
    expect(delivered).toEqual([[0], [1]]);
  });

  it('leaves out what came before', () => {
    const { pump, delivered } = setUp();
    pump.start();
    pump.push(messages(5, 6));
    pump.push(messages(5, 6));
    expect([delivered, pump.next()]).toEqual([[[5, 6]], 7n]);
  });

  it('closes when the handler is done and forgets what waits', async () => {
    const { pump, delivered, finish } = setUp();
    pump.start();
    pump.push(messages(0));
    pump.push(messages(1));
    let closed = false;
    void pump.close().then(() => (closed = true));
    await turn();
    expect(closed).toBe(false);
    await finish();
    expect([closed, delivered]).toEqual([true, [[0]]]);
  });
});
