import { ByPartition } from './by-partition';

const [first, second] = [{ topic: 'a', partition: 1 }, { topic: 'a', partition: 2 }];
const other = { topic: 'b', partition: 1 };

describe('ByPartition', () => {
  it('keeps partitions of one number apart by their topic', () => {
    const values = new ByPartition<string>();
    values.set(first, 'a1');
    values.set(other, 'b1');
    values.set(first, 'a1 again');
    expect([values.get(first), values.get(other), values.get(second)]).toEqual(['a1 again', 'b1', undefined]);
  });

  it('lists all, or those of a topic', () => {
    const values = new ByPartition<string>();
    for (const ref of [first, second, other]) values.set(ref, `${ref.topic}${ref.partition}`);
    expect([values.values(), values.values('a'), values.values('c')]).toEqual([['a1', 'a2', 'b1'], ['a1', 'a2'], []]);
    values.clear();
    expect(values.values()).toEqual([]);
  });

  it('says whether there was something to delete', () => {
    const values = new ByPartition<string>();
    values.set(first, 'a1');
    expect([values.delete(other), values.delete(first), values.delete(first), values.get(first)]).toEqual([
      false, true, false, undefined,
    ]);
  });
});
