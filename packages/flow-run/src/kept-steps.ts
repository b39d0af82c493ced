import type { ActionPorts } from '@sluice/actions';
import type { CompiledFlow, CompiledStep, FailureCode, StepBefore, StepOutput, StepReport } from '@sluice/flow-engine';
import type { KeptStep, KeptSteps } from '@sluice/ports';

/** What earlier attempts left of a step that is the same in this one. */
export interface EarlierStep extends StepBefore {
  /** Of a step that ended. */
  output: StepOutput | null;
}

export type EarlierSteps = Readonly<Record<string, EarlierStep>>;

type Flow = Pick<CompiledFlow<ActionPorts>, 'steps'>;
type Step = CompiledStep<ActionPorts>;

/** Failures before anything was sent, and refusals: nothing of the step can have taken effect. */
const withoutEffect: ReadonlySet<FailureCode> = new Set([
  'lease_lost', 'portal_dry', 'write_cap_reached', 'blob_unavailable', 'related_record_not_synced',
  'identity_claimed', 'identity_claim_renewed', 'identity_unresolved',
  'credential_refresh_failed', 'credential_refresh_busy', 'crm_rate_limited', 'crm_not_reached',
  'target_closed', 'target_not_reached', 'target_token_unavailable', 'file_source_unavailable',
]);

const isOfBinding = ({ epoch }: KeptStep, binding: number | null): boolean => epoch === null || epoch === binding;

/**
 * The kept steps that count for the next attempt. An item counts for a step with the same action, entity and object type, an
 * output only for the same step. What was done to the portal of another binding counts for nothing.
 * @param binding the binding epoch in force
 */
export function earlierSteps(flow: Flow, kept: KeptSteps | null, binding: number | null): EarlierSteps | null {
  if (kept === null) return null;
  const earlier: Record<string, EarlierStep> = {};
  for (const { id, signature } of flow.steps) {
    const before = Object.hasOwn(kept, id) ? kept[id]! : null;
    if (!before || before.about !== signature.about || !isOfBinding(before, binding)) continue;
    const output = before.authored === signature.authored ? before.output : null;
    earlier[id] = {
      items: before.items,
      unansweredSince: before.unansweredSince ?? null,
      ...(before.partial ? { output: null, landed: output } : { output, landed: null }),
    };
  }
  return earlier;
}

/** Whether an earlier attempt wrote, beyond what went to the portal of another binding. */
export const haveWritten = (kept: KeptSteps | null, binding: number | null): boolean =>
  kept !== null && Object.values(kept).some((step) => step.wrote && isOfBinding(step, binding));

/** The attempt whose steps are kept. */
export interface KeptAttempt {
  reports: readonly StepReport[];
  /** What was kept before it. */
  before: KeptSteps | null;
  /** The binding epoch under which it ran; null: no portal is bound. */
  binding: number | null;
  /** Characters of JSON that the outputs may have together. */
  characters: number;
  /** When it began, milliseconds since the epoch, by the store's clock. */
  begunAt: number;
}

/**
 * What the next attempt has to know of this one: items that ended, steps that wrote, the outputs of steps that ended, and of the
 * part of a step that took effect before it failed. Outputs are kept once something may have taken effect outside, which later
 * steps may depend on. Before that a repeat starts from scratch, with what it then finds. null: nothing.
 */
export function keptSteps(flow: Flow, { reports, before, binding, characters, begunAt }: KeptAttempt): KeptSteps | null {
  const kept: Record<string, KeptStep> = {};
  for (const [id, step] of Object.entries(before ?? {})) if (isOfBinding(step, binding)) kept[id] = step;
  const steps = new Map(flow.steps.map((step, place) => [step.id, { step, place }]));
  const earlier = earlierSteps(flow, before, binding);
  const acted = Object.values(kept).some(({ wrote, output }) => wrote || output !== null) || reports.some(mayHaveActed);
  const ran = reports.flatMap((report) => {
    const found = steps.get(report.id);
    if (!found || report.status === 'skipped') return [];
    return [{ report, ...found, ...outputOf(found.step, report, earlier?.[report.id], acted) }];
  });
  const fitting = fittingOutputs(ran.map(({ output }) => output), characters);
  for (const { report, place, step: { id, action, signature, bound = false }, output: whole, partial } of ran) {
    const output = whole !== null && fitting.has(whole) ? whole : null;
    const items = (report.items ?? []).filter(({ status }) => status !== 'open');
    const wrote = report.wrote || kept[id]?.wrote === true;
    const unansweredSince = earlier?.[id]?.unansweredSince ?? (bound && isUnanswered(report) ? begunAt : null);
    if (output === null && items.length === 0 && !wrote && unansweredSince === null) continue;
    kept[id] = {
      place, action, ...signature, epoch: bound ? binding : null, wrote, output, items,
      ...(output !== null && partial && { partial }),
      ...(unansweredSince !== null && { unansweredSince }),
    };
  }
  return Object.keys(kept).length > 0 ? kept : null;
}

/** A write that got no definite answer may have taken effect. */
function mayHaveActed({ wrote, status, effect, failure }: StepReport): boolean {
  if (wrote) return true;
  const isWrite = effect === 'write' || effect === 'associate';
  return isWrite && status === 'failed' && failure?.kind === 'transient' && !withoutEffect.has(failure.code);
}

/** Whether a write of one record got no answer. */
const isUnanswered = (report: StepReport): boolean =>
  !report.wrote && report.effect === 'write' && !report.items && mayHaveActed(report);

/** The output to keep of a step: of the first attempt in which it ended, else of the part that has taken effect until now. */
function outputOf(
  step: Step, report: StepReport, earlier: EarlierStep | undefined, acted: boolean,
): { output: StepOutput | null; partial?: true } {
  if (isKept(step, report, acted)) return { output: report.output };
  if (earlier?.output) return { output: earlier.output };
  const landed = report.effect === 'write' && report.wrote && !report.items && report.status !== 'done' ? report.output : null;
  return { output: landed ?? earlier?.landed ?? null, partial: true };
}

/** A step that is not repeated is kept in any case, but a read: it may find more the next time. */
function isKept({ repeat = 'anew' }: Step, { status, effect }: StepReport, acted: boolean): boolean {
  if (status !== 'done' || repeat === 'anew') return false;
  return acted || (repeat === 'kept' && effect !== 'read');
}

/** Those that have at most so many characters of JSON together, smallest first: one large output displaces no other. */
function fittingOutputs(outputs: readonly (StepOutput | null)[], characters: number): ReadonlySet<StepOutput> {
  const sizes = outputs.flatMap((output) => (output === null ? [] : [{ output, size: JSON.stringify(output).length }]));
  const fitting = new Set<StepOutput>();
  let left = characters;
  for (const { output, size } of sizes.sort((one, other) => one.size - other.size)) {
    if (size > left) break;
    left -= size;
    fitting.add(output);
  }
  return fitting;
}
