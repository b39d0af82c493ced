import type { StepReport } from '@sluice/flow-engine';
import type { StepTrace } from '@sluice/ports';
import { boundedValue, boundsOf, cutText } from './bounded-value';

/** How traces are kept. */
export interface TraceRules {
  /** Characters that the outputs of all steps of one record may have together. */
  characters: number;
  /** Takes secrets out of a text. */
  mask(text: string): string;
}

/** Nothing is masked: for runs that know no secret. */
export const openTraces: TraceRules = { characters: 65_536, mask: (text) => text };

/** A text of an error or a reason, as rows keep it. */
export const keptText = (text: string, { mask }: Pick<TraceRules, 'mask'>): string => cutText(mask(text), 2_000);

/** No step takes more of a record's trace than this part of it: the last one is shown too. */
const largestPart = 4;

const statuses: Record<StepReport['status'], StepTrace['status']> = {
  done: 'ok', skipped: 'skipped', halted: 'ok', failed: 'failed', stepped_aside: 'retried',
};

/** When a step ran, in milliseconds since the epoch, and in which attempt of its event. */
export interface StepTimes {
  startedAt: number;
  endedAt: number;
  attempts: number;
}

/** The trace of a run, step by step. */
export function createTraces(rules: TraceRules): { add(report: StepReport, times: StepTimes): void; all: StepTrace[] } {
  const all: StepTrace[] = [];
  let left = rules.characters;
  return {
    all,
    add: (report, { startedAt, endedAt, attempts }) => {
      const characters = Math.min(left, Math.ceil(rules.characters / largestPart));
      const output = boundedValue(report.output, boundsOf(characters), rules.mask);
      left = Math.max(0, left - (JSON.stringify(output)?.length ?? 0));
      const error = report.failure?.message ?? null;
      all.push({
        id: report.id,
        action: report.action,
        status: statuses[report.status],
        output,
        error: error === null ? null : keptText(error, rules),
        started_at: new Date(startedAt).toISOString(),
        duration_ms: endedAt - startedAt,
        attempts,
      });
    },
  };
}
