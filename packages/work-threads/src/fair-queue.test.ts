import { createFairQueue } from './fair-queue';

const limits = { perGroup: { items: 5, bytes: 100 }, bytes: 150 };

test('groups take turns, with one item of each under way', () => {
  const queue = createFairQueue<string>(limits);
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item, 1);
  queue.push('b', 'b1', 1);
  expect([queue.take()?.item, queue.take()?.item, queue.take()]).toEqual(['a1', 'b1', undefined]);
  queue.finished('a');
  queue.push('c', 'c1', 1);
  queue.finished('b');
  queue.push('b', 'b2', 1);
  expect([queue.take()?.item, queue.take()?.item, queue.take()?.item, queue.take()]).toEqual(['a2', 'c1', 'b2', undefined]);
  for (const group of ['a', 'b', 'c']) queue.finished(group);
  expect([queue.take()?.item, queue.take(), queue.waiting()]).toEqual(['a3', undefined, 0]);
});

test('waiting items are bounded by number and bytes of a group, and by bytes of all', () => {
  const queue = createFairQueue<number>(limits);
  expect([1, 2, 3, 4, 5, 6].map((item) => queue.push('many', item, 1))).toEqual([
    'queued',
    'queued',
    'queued',
    'queued',
    'queued',
    'group_full',
  ]);
  expect([queue.push('large', 1, 60), queue.push('large', 2, 60), queue.push('large', 3, 40)]).toEqual([
    'queued',
    'group_full',
    'queued',
  ]);
  expect([queue.push('third', 1, 60), queue.push('third', 1, 40), queue.waiting()]).toEqual(['full', 'queued', 8]);
  expect([queue.take()?.item, queue.push('many', 6, 1)]).toEqual([1, 'queued']);
});
