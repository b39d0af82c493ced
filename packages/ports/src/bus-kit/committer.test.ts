import { createCommitter, type FencedOffset } from './committer';

const gate = (): { open(): void; closed: Promise<void> } => {
  let open: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { open, closed };
};

describe('createCommitter', () => {
  it('merges offsets that arrive while a commit is under way', async () => {
    const first = gate();
    const stored: FencedOffset<string>[][] = [];
    const committer = createCommitter<string>({
      tokenOf: () => 'mine',
      store: async (offsets) => {
        stored.push([...offsets]);
        if (stored.length === 1) await first.closed;
      },
    });
    const commits = [1n, 2n, 3n].map((next) => committer.commit([{ partition: 0, next }]));
    first.open();
    await Promise.all(commits);
    expect(stored.map((offsets) => offsets.map(({ next }) => next))).toEqual([[1n], [3n]]);
  });

  it('drops offsets of a lost partition, also when it was assigned again', async () => {
    let token: string | undefined = 'first';
    const stored: bigint[] = [];
    const committer = createCommitter<string>({
      tokenOf: () => token,
      store: async (offsets) => {
        if (token === 'first') {
          token = 'second';
          throw new Error('rebalance');
        }
        stored.push(...offsets.map(({ next }) => next));
      },
    });
    await committer.commit([{ partition: 0, next: 5n }]);
    expect(stored).toEqual([]);
    await committer.commit([{ partition: 0, next: 2n }]);
    expect(stored).toEqual([2n]);
    token = undefined;
    await committer.commit([{ partition: 0, next: 9n }]);
    expect(stored).toEqual([2n]);
  });

  it('tries again', async () => {
    let failures = 2;
    const stored: bigint[] = [];
    const committer = createCommitter<string>({
      tokenOf: () => 'mine',
      store: async (offsets) => {
        if ((failures -= 1) >= 0) throw new Error('away');
        stored.push(...offsets.map(({ next }) => next));
      },
    });
    await committer.commit([{ partition: 0, next: 5n }]);
    expect(stored).toEqual([5n]);
  });
});
