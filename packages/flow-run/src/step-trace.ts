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

/** A step may use this part of a record's trace at most, so that the last one is shown too. */
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
export class RunTraces {
  readonly all: StepTrace[] = [];
  private left: number;

  constructor(private readonly rules: TraceRules) {
    this.left = rules.characters;
  }

  add({ id, action, status, output, failure }: StepReport, { startedAt, endedAt, attempts }: StepTimes): void {
    this.countLast();
    const characters = Math.min(this.left, Math.ceil(this.rules.characters / largestPart));
    this.all.push({
      id,
      action,
      status: statuses[status],
      output: boundedValue(output, boundsOf(characters), this.rules.mask),
      error: failure === null ? null : keptText(failure.message, this.rules),
      started_at: new Date(startedAt).toISOString(),
      duration_ms: endedAt - startedAt,
      attempts,
    });
  }

  /** What a step took counts when another one follows it: most flows have one step. */
  private countLast(): void {
    const last = this.all.at(-1);
    if (last) this.left = Math.max(0, this.left - (JSON.stringify(last.output)?.length ?? 0));
  }
}
