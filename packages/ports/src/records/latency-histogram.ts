/**
 * Upper bounds of the classes in which times from accept to end are counted, in milliseconds; the last class has none. Stored
 * counts depend on their number: one may be added at the end only.
 */
export const latencyBoundsMs = [25, 50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_500, 5_000, 10_000, 30_000, 120_000, 600_000];

/**
 * A quantile of times that were counted in classes, in milliseconds: linear inside of its class, the lower bound for the last
 * one.
 * null: nothing was counted.
 * @param counts by class
 * @param quantile between 0 and 1
 */
export function quantileMs(counts: readonly number[], quantile: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = quantile * total;
  let before = 0;
  for (const [place, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const lower = latencyBoundsMs[place - 1] ?? 0;
      const upper = latencyBoundsMs[place] ?? lower;
      return Math.round(lower + ((upper - lower) * (rank - before)) / count);
    }
    before += count;
  }
  return latencyBoundsMs.at(-1)!;
}
