import { expressionLimit, type CompiledFlow, type CompiledStep, type Effect } from './compiled-flow';
import type { FlowContext } from '../flow-context';
import {
  type FailureCode,
  type Outcome,
  recordReason,
  type RecordReason,
  type StepFailure,
  type StepItem,
  type StepOutput,
} from './outcome';
import { ExpressionLimitError } from '../work-budget';

/** What happened to one step, in the order of the flow. */
export interface StepReport {
  id: string;
  action: string;
  effect: Effect;
  status: 'done' | 'skipped' | 'halted' | 'failed' | 'stepped_aside';
  output: StepOutput | null;
  reason: RecordReason | 'when' | null;
  failure: StepFailure | null;
  /** A part of it was written outside. */
  wrote: boolean;
  /** Of a bulk step that came to its list. */
  items?: readonly StepItem[];
}

/** The part of a step that its report tells. */
type ReportedStep = Pick<CompiledStep, 'id' | 'action' | 'effect'>;

/** One run of a flow over one event. Plain data: every transition makes a new one. */
export interface RunState {
  ctx: FlowContext;
  /** Index of the next step. */
  next: number;
  reports: readonly StepReport[];
  /** This attempt, or an earlier one, has written. */
  wrote: boolean;
  /** An earlier attempt has written: then the record is not skipped when nothing has to change now. */
  wroteBefore: boolean;
}

export type Decision<Ports> =
  | { kind: 'run'; step: CompiledStep<Ports> }
  | { kind: 'skip-step'; step: CompiledStep<Ports> }
  | { kind: 'finished'; outcome: RunOutcome };

/**
 * How an attempt ended (docs/reference/events.md, Record outcomes).
 * - retry: a transient failure; when attempts are exhausted see `exhausted`.
 * - hold: a fatal failure before anything was written.
 * - aside: everything else is done, the named step waits for a record that does not exist yet.
 */
export type RunOutcome =
  | { status: 'completed' }
  | { status: 'skipped'; reason: RecordReason }
  | { status: 'failed' | 'partial_success' | 'quarantined'; stepId: string; failure: StepFailure }
  | { status: 'retry' | 'hold' | 'aside'; stepId: string; failure: StepFailure; wrote: boolean };

/** Failure codes that mean an identity guard or a deletion policy refused the write. */
const quarantineCodes: ReadonlySet<FailureCode> = new Set(['identity_guard', 'identity_conflict', 'target_deleted']);

/** Whether a failed record is quarantined rather than failed. */
export const isQuarantined = ({ code }: StepFailure): boolean => quarantineCodes.has(code);

/** The state before the first step. `wrote`: an earlier attempt of this event has written. */
export function startRun(ctx: FlowContext, wrote = false): RunState {
  return { ctx, next: 0, reports: [], wrote, wroteBefore: wrote };
}

/** Decides the next step. Total and pure. */
export function decide<Ports>(flow: CompiledFlow<Ports>, state: RunState): Decision<Ports> {
  const last = state.reports.at(-1);
  const step = flow.steps[state.next];
  const ended = step === undefined || last?.status === 'halted' || last?.status === 'failed';
  if (ended) return { kind: 'finished', outcome: conclude(flow, state) };
  try {
    return { kind: step.when(state.ctx) ? 'run' : 'skip-step', step };
  } catch (error) {
    if (!(error instanceof ExpressionLimitError)) throw error;
    const outcome = expressionLimit(step.id, error);
    return { kind: 'run', step: { ...step, run: () => Promise.resolve(outcome) } };
  }
}

/** The state after the next step was skipped by its `when`: its output is null. */
export function applySkip(state: RunState, step: ReportedStep): RunState {
  const report: StepReport = { ...blank(step), status: 'skipped', reason: 'when' };
  return advance(state, report, null);
}

/** The state after the outcome of the next step. */
export function apply(state: RunState, step: ReportedStep, outcome: Outcome): RunState {
  switch (outcome.kind) {
    case 'done': {
      const { canonical, output, wrote, items } = outcome;
      const before = canonical === undefined ? state : { ...state, ctx: { ...state.ctx, canonical } };
      return advance(before, { ...blank(step), output, wrote, items }, output);
    }
    case 'skip':
      return advance(state, { ...blank(step), status: 'halted', reason: outcome.reason }, null);
    case 'retry':
    case 'fail': {
      const status = outcome.kind === 'retry' && outcome.failure.stepsAside ? 'stepped_aside' : 'failed';
      const { failure, output = null, wrote = false, items } = outcome;
      return advance(state, { ...blank(step), status, output, failure, wrote, items }, output);
    }
  }
}

/** The final status of an event whose attempts are used up. */
export function exhausted(outcome: { wrote: boolean }): 'parked' | 'partial_success' {
  return outcome.wrote ? 'partial_success' : 'parked';
}

function conclude<Ports>(flow: CompiledFlow<Ports>, state: RunState): RunOutcome {
  const last = state.reports.at(-1);
  if (last?.status === 'failed') return concludeFailure(last.id, last.failure!, state.wrote);
  const aside = state.reports.find((report) => report.status === 'stepped_aside');
  if (aside) return { status: 'aside', stepId: aside.id, failure: aside.failure!, wrote: state.wrote };
  if (last?.status === 'halted')
    return state.wrote ? { status: 'completed' } : { status: 'skipped', reason: recordReason(last.reason ?? 'skipped') };
  if (!state.wrote) return concludeNothingWritten(flow, state);
  return isSuperseded(state) ? { status: 'skipped', reason: 'superseded' } : { status: 'completed' };
}

/**
 * Whether a newer write of the record took the place of this event's: no record was written, in no attempt. Its associations
 * may have been (docs/reference/events.md, Superseded events).
 */
function isSuperseded(state: RunState): boolean {
  if (state.wroteBefore) return false;
  const records = doneWith(state, 'write');
  return records.some(({ output }) => output?.reason === 'superseded') && state.reports.every(
    ({ wrote, effect }) => !wrote || effect === 'associate',
  );
}

function concludeFailure(stepId: string, failure: StepFailure, wrote: boolean): RunOutcome {
  if (failure.kind === 'transient') return { status: 'retry', stepId, failure, wrote };
  if (wrote) return { status: 'partial_success', stepId, failure };
  if (failure.kind === 'fatal') return { status: 'hold', stepId, failure, wrote };
  return { status: isQuarantined(failure) ? 'quarantined' : 'failed', stepId, failure };
}

/** Completed, unless something was to be written: no step ran, or each record write (else each association) had nothing to do. */
function concludeNothingWritten<Ports>(flow: CompiledFlow<Ports>, state: RunState): RunOutcome {
  if (flow.steps.length > 0 && state.reports.every((report) => report.status === 'skipped'))
    return { status: 'skipped', reason: 'no_step_applied' };
  const records = doneWith(state, 'write');
  const main = records.length > 0 ? records : doneWith(state, 'associate');
  if (main.length === 0) return { status: 'completed' };
  return { status: 'skipped', reason: recordReason(main[0]!.output?.reason ?? 'nothing_to_write') };
}

const doneWith = ({ reports }: RunState, effect: Effect): StepReport[] =>
  reports.filter((report) => report.status === 'done' && report.effect === effect);

function blank({ id, action, effect }: ReportedStep): StepReport {
  return { id, action, effect, status: 'done', output: null, reason: null, failure: null, wrote: false, items: undefined };
}

function advance(state: RunState, report: StepReport, output: StepOutput | null): RunState {
  // The new one comes first: V8 gives each object that adds to a spread a hidden class of its own.
  const outputs = { [report.id]: output, ...state.ctx.outputs };
  const wrote = state.wrote || report.wrote;
  return { ...state, wrote, ctx: { ...state.ctx, outputs }, next: state.next + 1, reports: [...state.reports, report] };
}
