import { type Cursor, planGroup } from './plan-group';

const free = (partition: number): Cursor => ({ partition, owner: null, target: null });
const apply = (cursors: Cursor[], changes: Cursor[]): Cursor[] =>
  cursors.map((cursor) => changes.find(({ partition }) => partition === cursor.partition) ?? cursor);
const none = new Set<number>();

describe('planGroup', () => {
  const two = [free(0), free(1)];
  const ofA = apply(two, planGroup(['a'], two, 'a', none));

  it('gives everything to the only member', () => {
    expect(ofA.map(({ owner }) => owner)).toEqual(['a', 'a']);
  });

  it('requests a partition from a living owner and does not take it', () => {
    const asked = planGroup(['a', 'b'], ofA, 'b', none);
    expect(asked).toEqual([{ partition: 1, owner: 'a', target: 'b' }]);
  });

  it('passes a partition on only when the owner itself has stopped reading', () => {
    const asked = apply(ofA, planGroup(['a', 'b'], ofA, 'b', none));
    expect(planGroup(['a', 'b'], asked, 'b', none)).toEqual([]);
    expect(planGroup(['a', 'b'], asked, 'a', new Set([0, 1]))).toEqual([]);
    expect(planGroup(['a', 'b'], asked, 'a', new Set([0]))).toEqual([{ partition: 1, owner: 'b', target: null }]);
  });

  it('takes partitions of dead members at once', () => {
    expect(planGroup(['b'], ofA, 'b', none).map(({ owner }) => owner)).toEqual(['b', 'b']);
  });

  it('withdraws a request when the member that should get the partition has left', () => {
    const asked = apply(ofA, planGroup(['a', 'b'], ofA, 'b', none));
    expect(planGroup(['a'], asked, 'a', new Set([0, 1]))).toEqual([{ partition: 1, owner: 'a', target: null }]);
  });

  it('changes nothing in a settled group', () => {
    expect(planGroup(['a'], ofA, 'a', new Set([0, 1]))).toEqual([]);
  });
});
