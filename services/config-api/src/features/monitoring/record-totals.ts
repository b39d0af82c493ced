import { quantileMs, type RecordStatus, type RecordStep } from '@sluice/ports';

/** Records of a span, as the monitoring routes tell them apart. */
export interface RecordTotals {
  ok: number;
  skipped: number;
  /** Everything else: failed, parked, quarantined, expired, ended in part. */
  failed: number;
}

export function totalsOf(byStatus: RecordStep['byStatus']): RecordTotals {
  const { completed = 0, skipped = 0 } = byStatus;
  const all = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { ok: completed, skipped, failed: all - completed - skipped };
}

/** The sum of steps. */
export function sumOf(steps: readonly RecordStep[]): Omit<RecordStep, 'at'> {
  const byStatus: Partial<Record<RecordStatus, number>> = {};
  const latency: number[] = [];
  for (const step of steps) {
    for (const [status, count] of Object.entries(step.byStatus) as [RecordStatus, number][]) {
      byStatus[status] = (byStatus[status] ?? 0) + count;
    }
    for (const [place, count] of step.latency.entries()) latency[place] = (latency[place] ?? 0) + count;
  }
  return { byStatus, latency: Array.from(latency, (count) => count ?? 0) };
}

export const quantilesOf = (latency: readonly number[]) => ({
  p50: quantileMs(latency, 0.5), p95: quantileMs(latency, 0.95), p99: quantileMs(latency, 0.99),
});
