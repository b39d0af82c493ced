import { watchForStalls, type StallWatchOptions, type WatchedPartition } from './stall-watch';

const standing = [{ partition: 0, end: 10n, committed: 4n }];

/** Runs a watch over a number of checks and returns the partition that it reported as stalled. */
async function looks(
  count: number,
  partitionsAt: (look: number) => WatchedPartition[],
  more: Partial<StallWatchOptions> = {},
): Promise<number | null> {
  jest.useFakeTimers();
  let deaf: number | null = null;
  let look = 0;
  const end = watchForStalls({
    everyMs: 100,
    fromStart: true,
    standing: () => Promise.resolve(standing),
    partitions: () => partitionsAt((look += 1)),
    stalled: (partition) => {
      deaf = partition;
    },
    ...more,
  });
  for (let turn = 0; turn < count; turn += 1) await jest.advanceTimersByTimeAsync(100);
  end();
  jest.useRealTimers();
  return deaf;
}

describe('stall watch', () => {
  it('reports an idle member that does not read available messages for two checks', async () => {
    expect(await looks(1, () => [{ partition: 0, next: 7n, idle: true }])).toBeNull();
    expect(await looks(2, () => [{ partition: 0, next: 7n, idle: true }])).toBe(0);
    expect(await looks(2, () => [{ partition: 0, next: undefined, idle: true }])).toBe(0);
  });

  it('does not report a member that moves, is busy or paused, or has read everything', async () => {
    expect(await looks(5, (look) => [{ partition: 0, next: BigInt(look), idle: true }])).toBeNull();
    expect(await looks(5, () => [{ partition: 0, next: 7n, idle: false }])).toBeNull();
    expect(await looks(5, () => [{ partition: 0, next: 10n, idle: true }])).toBeNull();
  });

  it('reports nothing for an unknown position, or while the cluster does not answer', async () => {
    expect(await looks(5, () => [{ partition: 0, next: undefined, idle: true }], { fromStart: false })).toBeNull();
    expect(
      await looks(5, () => [{ partition: 0, next: 7n, idle: true }], { standing: () => Promise.reject(new Error('away')) }),
    ).toBeNull();
  });
});
