/**
 * Spreads partitions over the members of a group: counts differ by at most one, and every member keeps as many of
 * its partitions as that allows, because a partition that moves needs a new lease. Same input, same answer on every member.
 * @param current who has which partition now; entries of unknown members and partitions are ignored
 */
export function stickyAssignment(
  partitions: number,
  members: readonly string[],
  current: ReadonlyMap<number, string>,
): Map<number, string> {
  const wanted = new Map<number, string>();
  if (members.length === 0) return wanted;
  const owned = new Map(members.map((member): [string, number[]] => [member, []]));
  for (const [partition, member] of [...current].sort(([a], [b]) => a - b))
    if (partition < partitions) owned.get(member)?.push(partition);
  // Who has most keeps the odd ones.
  const order = [...owned].sort(([a, have], [b, has]) => has.length - have.length || (a < b ? -1 : 1));
  const base = Math.floor(partitions / members.length);
  const room = new Map(order.map(([member], index) => [member, base + (index < partitions % members.length ? 1 : 0)]));
  for (const [member, have] of order) {
    const kept = have.slice(0, room.get(member));
    for (const partition of kept) wanted.set(partition, member);
    room.set(member, (room.get(member) as number) - kept.length);
  }
  const takers = [...room].flatMap(([member, count]) => Array<string>(count).fill(member));
  for (let partition = 0; partition < partitions; partition += 1) {
    if (!wanted.has(partition)) wanted.set(partition, takers.shift() as string);
  }
  return wanted;
}
