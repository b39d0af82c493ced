import { durationClasses } from '@sluice/ports';

/** The duration below which a share of runs stayed, from counts by the classes of `durationClasses`; 0 when nothing ran. */
export function percentile(counts: readonly number[], share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 0;
  let seen = 0;
  const index = counts.findIndex((count) => (seen += count) >= total * share);
  const upper = durationClasses[Math.min(index, durationClasses.length - 1)]!;
  const lower = index === 0 ? upper : durationClasses[Math.min(index, durationClasses.length) - 1]!;
  // In the middle of the class, by ratio.
  return Math.round(Math.sqrt(lower * upper) * 100) / 100;
}
