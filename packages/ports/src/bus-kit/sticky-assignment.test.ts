import { stickyAssignment } from './sticky-assignment';

const counts = (assignment: Map<number, string>): Record<string, number> => {
  const byMember: Record<string, number> = {};
  for (const member of assignment.values()) byMember[member] = (byMember[member] ?? 0) + 1;
  return byMember;
};

describe('stickyAssignment', () => {
  it('spreads evenly', () => {
    expect(counts(stickyAssignment(24, ['a', 'b', 'c', 'd', 'e'], new Map()))).toEqual({ a: 5, b: 5, c: 5, d: 5, e: 4 });
  });

  it('leaves members without partitions when there are more members', () => {
    expect(counts(stickyAssignment(1, ['a', 'b'], new Map([[0, 'b']])))).toEqual({ b: 1 });
  });

  it('moves only what a new member needs', () => {
    const before = stickyAssignment(24, ['a', 'b'], new Map());
    const after = stickyAssignment(24, ['a', 'b', 'c'], before);
    expect(counts(after)).toEqual({ a: 8, b: 8, c: 8 });
    for (const [partition, member] of after) if (member !== 'c') expect(before.get(partition)).toBe(member);
  });

  it('gives the partitions of a lost member to the others and moves nothing else', () => {
    const before = stickyAssignment(24, ['a', 'b', 'c'], new Map());
    const after = stickyAssignment(24, ['a', 'c'], before);
    expect(counts(after)).toEqual({ a: 12, c: 12 });
    for (const [partition, member] of before) if (member !== 'b') expect(after.get(partition)).toBe(member);
  });

  it('ignores partitions and members that are not there', () => {
    expect(counts(stickyAssignment(2, ['a'], new Map([[7, 'a'], [1, 'gone']])))).toEqual({ a: 2 });
  });
});
