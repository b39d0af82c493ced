/** The heap of the process after this number of records. */
export interface HeapPoint {
  records: number;
  bytes: number;
}

/**
 * How much more the process holds in the second half of a soak than in the first: the largest reading of the second half over the
 * largest of the first. Readings of the first tenth do not count: code is compiled and caches are filled in it.
 */
export function growth(points: readonly HeapPoint[], total: number): number {
  const largest = (from: number, to: number): number =>
    Math.max(...points.filter(({ records }) => records > from * total && records <= to * total).map(({ bytes }) => bytes));
  return largest(0.5, 1) / largest(0.1, 0.5);
}
