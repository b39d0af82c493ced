import { createWorkSlots, TooMuchWaiting } from './work-slots';

/** Work that ends when the test lets it, and what has started so far. */
function lab(options: { slots?: number; maxWaitingPerLane?: number; maxWaiting?: number } = {}) {
  const work = createWorkSlots({ slots: 1, maxWaitingPerLane: 10, maxWaiting: 20, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, lane: string, urgent = false): Promise<string> => work.run(lane, urgent, () => {
    started.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    run, started,
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await settle();
    },
  };
}

test('runs no more at once than there are slots, lanes in turn', async () => {
  const { run, started, end } = lab({ slots: 2 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => run(name, name[0]!));
  expect(started).toEqual(['a1', 'a2']);
  const order: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    order.push(started[count]!);
    await end(started[count]!);
  }
  expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
  expect(await Promise.all(all)).toHaveLength(7);
});

test('urgent work goes first', async () => {
  const { run, started, end } = lab();
  const all = [run('a1', 'a'), run('a2', 'a'), run('b1', 'b'), run('u', 'u', true)];
  for (const name of ['a1', 'u', 'a2', 'b1']) await end(name);
  expect(started).toEqual(['a1', 'u', 'a2', 'b1']);
  await Promise.all(all);
});

test('refuses work beyond the limit of waiting work, and accepts more once some is done', async () => {
  const { run, end } = lab({ maxWaitingPerLane: 2, maxWaiting: 3 });
  const all = [run('a1', 'a'), run('a2', 'a'), run('a3', 'a')];
  await expect(run('a4', 'a')).rejects.toBeInstanceOf(TooMuchWaiting);
  all.push(run('b1', 'b'));
  await expect(run('c1', 'c')).rejects.toBeInstanceOf(TooMuchWaiting);
  await end('a1');
  all.push(run('c2', 'c'));
  for (const name of ['a2', 'b1', 'a3', 'c2']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'c2']);
});

test('a piece of work that fails frees its slot', async () => {
  const work = createWorkSlots({ slots: 1, maxWaitingPerLane: 1, maxWaiting: 1 });
  await expect(work.run('a', false, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await work.run('a', false, async () => 1)).toBe(1);
});
