import type { SeriesStep, TimeRange } from '@sluice/ports';

const dayMs = 86_400_000;
const lengths = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs } as const;
const stepMs = { hourly: 3_600_000, daily: dayMs } as const;
const steps = { hourly: 'hour', daily: 'day' } as const;

export type RangeName = keyof typeof lengths;
export type Granularity = keyof typeof stepMs;

/** How far a summary without times looks back. */
const usualMs = 7 * dayMs;

/** The times of a query; without them the last seven days. */
export function rangeOf({ since, until }: { since?: string; until?: string }, now = Date.now()): TimeRange {
  return { since: new Date(since ?? now - usualMs), until: new Date(until ?? now) };
}

/**
 * The last hours or days, cut by UTC. Its first step begins at or before the start of the range, its last one holds the present.
 */
export interface Steps extends TimeRange {
  step: SeriesStep;
  /** Start of each step. */
  starts: Date[];
}

export function stepsOf(range: RangeName, granularity: Granularity, now = Date.now()): Steps {
  const length = stepMs[granularity];
  const first = Math.floor((now - lengths[range]) / length) * length;
  const last = Math.floor(now / length) * length;
  const starts = Array.from({ length: (last - first) / length + 1 }, (_, place) => new Date(first + place * length));
  return { step: steps[granularity], starts, since: new Date(first), until: new Date(last + length) };
}
