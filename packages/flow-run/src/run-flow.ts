import type { ActionPorts } from '@sluice/actions';
import {
  apply,
  applySkip,
  type CancelSignal,
  type CompiledFlow,
  type CompiledStep,
  decide,
  done,
  type FlowContext,
  type Outcome,
  recordReason,
  type RunOutcome,
  type RunState,
  startRun,
  type StepItem,
  type StepReport,
} from '@sluice/flow-engine';
import { leaseLost, type StepTrace } from '@sluice/ports';
import type { EarlierStep, EarlierSteps } from './kept-steps';
import { keptText, openTraces, RunTraces, type TraceRules } from './step-trace';

/** One attempt of a flow over one event. */
export interface FlowRun {
  outcome: RunOutcome;
  reports: readonly StepReport[];
  traces: StepTrace[];
}

export interface RunOptions {
  /** Cancels the attempt: no further step begins, and steps that ask many things look at it. Default: never. */
  signal?: CancelSignal;
  /**
   * The state of previous attempts of the event: whether one wrote, how many there were, and what they left of its steps.
   * Default: there were none.
   */
  earlier?: { wrote: boolean; attempts: number; steps?: EarlierSteps | null };
  /** Milliseconds since the epoch. Default: the machine's clock. */
  now?(): number;
  /** Whether the caller handles this error of a step: `runFlow` then throws FlowInterrupted. Default: no. */
  isOurs?(error: unknown): boolean;
  traces?: TraceRules;
  /** Called before each step. */
  begins?(step: Pick<CompiledStep, 'id' | 'action'>): void;
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

const never: CancelSignal = { aborted: false };
const noneEarlier: NonNullable<RunOptions['earlier']> = { wrote: false, attempts: 0 };
const noneIsOurs = (): boolean => false;

/** An attempt is cancelled when its partition is lost: the next owner runs the event. */
const cancelled: Outcome = { kind: 'fail', failure: leaseLost };

/** A run that ended before its outcome, by an error of a step that the caller handles (`cause`). */
export class FlowInterrupted extends Error {
  override name = 'FlowInterrupted';

  /** @param reports of the steps that had ended */
  constructor(override readonly cause: unknown, readonly reports: readonly StepReport[]) {
    super('the run was interrupted');
  }
}

/**
 * Runs the steps in order: the engine decides which step is next, this loop runs it.
 * @throws FlowInterrupted
 */
export async function runFlow<Ports = ActionPorts>(
  flow: CompiledFlow<Ports>, ctx: FlowContext, ports: Ports, options: RunOptions = {},
): Promise<FlowRun> {
  const { now = Date.now, isOurs = noneIsOurs, signal = never, earlier = noneEarlier, traces: rules = openTraces } = options;
  const traces = new RunTraces(rules);
  let state: RunState = startRun(ctx, earlier.wrote);
  for (;;) {
    const decision = decide(flow, state);
    if (decision.kind === 'finished')
      return { outcome: keptOutcome(decision.outcome, rules), reports: keptReports(state.reports, rules), traces: traces.all };
    const { step } = decision;
    const startedAt = now();
    options.begins?.(step);
    if (decision.kind === 'skip-step') {
      state = applySkip(state, step);
    } else {
      const before = earlier.steps?.[step.id];
      const input = { entities: flow.entities, ctx: state.ctx, ports, signal, before };
      let outcome: Outcome;
      try {
        outcome = signal.aborted ? cancelled : (endedBefore(step, before) ?? (await step.run(input)));
      } catch (error) {
        if (isOurs(error)) throw new FlowInterrupted(error, state.reports);
        outcome = bug(error);
      }
      state = apply(state, step, withFirstOutput(outcome, before));
    }
    traces.add(state.reports.at(-1)!, { startedAt, endedAt: now(), attempts: earlier.attempts + 1 });
  }
}

/** The outcome of a step that is not repeated; null: it runs. */
const endedBefore = ({ repeat }: Pick<CompiledStep, 'repeat'>, before: EarlierStep | undefined): Outcome | null =>
  repeat === 'kept' && before?.output ? done(before.output) : null;

/**
 * Later steps see what a step found and did when it ended first: whether it created its record, for example. Another record than
 * then is told as it is now, because the first one is gone. Later steps also run after one that steps aside.
 */
function withFirstOutput(outcome: Outcome, before: EarlierStep | undefined): Outcome {
  if (outcome.kind === 'skip' || !outcome.output || !before?.output) return outcome;
  const { crm_id: id } = outcome.output;
  const isOther = typeof id === 'string' && id !== before.output['crm_id'];
  const isMissing = outcome.kind !== 'done' && typeof id !== 'string';
  return isOther || isMissing ? outcome : { ...outcome, output: before.output };
}

/** The texts for the record's row: bounded, and without secrets. */
function keptOutcome(outcome: RunOutcome, rules: TraceRules): RunOutcome {
  if ('failure' in outcome)
    return { ...outcome, failure: { ...outcome.failure, message: keptText(outcome.failure.message, rules) } };
  return outcome.status === 'skipped' ? { ...outcome, reason: recordReason(keptText(outcome.reason, rules)) } : outcome;
}

/** The same for the items of bulk steps, which have rows of their own. */
const keptReports = (reports: readonly StepReport[], rules: TraceRules): readonly StepReport[] =>
  reports.some(({ items }) => items)
    ? reports.map((report) => (report.items ? { ...report, items: report.items.map((item) => keptItem(item, rules)) } : report))
    : reports;

const keptItem = (item: StepItem, rules: TraceRules): StepItem =>
  item.failure === null ? item : { ...item, failure: { ...item.failure, message: keptText(item.failure.message, rules) } };
