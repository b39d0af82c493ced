import type { ActionPorts } from '@sluice/actions';
import {
  apply,
  applySkip,
  decide,
  startRun,
  type CompiledFlow,
  type FlowContext,
  type Outcome,
  type RunOutcome,
  type RunState,
  type StepReport,
} from '@sluice/flow-engine';
import type { StepTrace } from '@sluice/ports';

/** One attempt of a flow over one event. */
export interface FlowRun {
  outcome: RunOutcome;
  reports: readonly StepReport[];
  traces: StepTrace[];
}

const traceStatus: Record<StepReport['status'], StepTrace['status']> = {
  done: 'ok', skipped: 'skipped', halted: 'ok', failed: 'failed', stepped_aside: 'retried',
};

function traceOf(report: StepReport, startedAt: number, endedAt: number, attempts: number): StepTrace {
  return {
    id: report.id,
    action: report.action,
    status: traceStatus[report.status],
    output: report.output,
    error: report.failure?.message ?? null,
    started_at: new Date(startedAt).toISOString(),
    duration_ms: endedAt - startedAt,
    attempts,
  };
}

/** A step that throws is a bug of Sluice: it becomes a permanent failure, so that the event ends visibly. */
const bug = (error: unknown): Outcome => ({
  kind: 'fail',
  failure: {
    kind: 'permanent',
    code: 'bug',
    message: `the step failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`,
  },
});

/**
 * Runs the steps in order: the engine decides which step is next, this loop runs it.
 * @param earlier what previous attempts of the event left: whether one wrote, and how many there were
 */
export async function runFlow(
  flow: CompiledFlow<ActionPorts>, ctx: FlowContext, ports: ActionPorts, signal: AbortSignal,
  earlier: { wrote: boolean; attempts: number }, now: () => number, isOurs: (error: unknown) => boolean,
): Promise<FlowRun> {
  let state: RunState = startRun(ctx, earlier.wrote);
  const traces: StepTrace[] = [];
  for (;;) {
    const decision = decide(flow, state);
    if (decision.kind === 'finished') return { outcome: decision.outcome, reports: state.reports, traces };
    const { step } = decision;
    const startedAt = now();
    if (decision.kind === 'skip-step') {
      state = applySkip(state, step);
    } else {
      const outcome = await step.run({ entities: flow.entities, ctx: state.ctx, ports, signal }).catch((error: unknown) => {
        if (isOurs(error)) throw error;
        return bug(error);
      });
      state = apply(state, step, outcome);
    }
    traces.push(traceOf(state.reports.at(-1)!, startedAt, now(), earlier.attempts + 1));
  }
}

/** The record a run is about: what its first record write says, else the first association. */
export function mainRecord(
  flow: CompiledFlow<ActionPorts>,
  reports: readonly StepReport[],
): { entityName: string | null; externalId: string | null; crmId: string | null; action: string | null; stepId: string | null } {
  const withEffect = (effect: string): StepReport | undefined =>
    reports.find((report) => flow.steps.find((step) => step.id === report.id)?.effect === effect && report.status !== 'skipped');
  const main = withEffect('write') ?? withEffect('associate');
  const step = flow.flow.steps.find((candidate) => candidate.id === main?.id);
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return {
    entityName: text(main?.output?.['entity']) ?? text(step?.['entity']) ?? null,
    externalId: text(main?.output?.['external_id']),
    crmId: text(main?.output?.['crm_id']),
    action: main?.action ?? null,
    stepId: main?.id ?? null,
  };
}
