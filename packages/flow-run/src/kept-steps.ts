import type { ActionPorts } from '@sluice/actions';
import type { CompiledFlow, CompiledStep, FailureCode, StepItem, StepOutput, StepReport } from '@sluice/flow-engine';
import type { KeptStep, KeptSteps } from '@sluice/ports';

/** What an earlier attempt left of a step that is the same in this one. */
export interface EarlierStep {
  /** Of a step that ended. */
  output: StepOutput | null;
  /** Items of a bulk step that ended. */
  items: readonly StepItem[];
}

export type EarlierSteps = Readonly<Record<string, EarlierStep>>;

type Flow = Pick<CompiledFlow<ActionPorts>, 'steps'>;
type Step = CompiledStep<ActionPorts>;

/** Failures before anything was sent, and refusals: nothing of the step can have taken effect. */
const withoutEffect: ReadonlySet<FailureCode> = new Set([
  'lease_lost', 'portal_dry', 'blob_unavailable', 'related_record_not_synced',
  'identity_claimed', 'identity_claim_renewed', 'identity_unresolved',
  'credential_refresh_failed', 'crm_rate_limited', 'crm_not_reached',
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
    earlier[id] = { output: before.authored === signature.authored ? before.output : null, items: before.items };
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
}

/**
 * What the next attempt has to know of this one: items that ended, steps that wrote, and the outputs of steps that ended. Outputs
 * are kept once something may have taken effect outside, which later steps may depend on. Before that a repeat starts from
 * scratch, with what it then finds. null: nothing.
 */
export function keptSteps(flow: Flow, { reports, before, binding, characters }: KeptAttempt): KeptSteps | null {
  const kept: Record<string, KeptStep> = {};
  for (const [id, step] of Object.entries(before ?? {})) if (isOfBinding(step, binding)) kept[id] = step;
  const steps = new Map(flow.steps.map((step, place) => [step.id, { step, place }]));
  const earlier = earlierSteps(flow, before, binding);
  const acted = Object.values(kept).some(({ wrote, output }) => wrote || output !== null) || reports.some(mayHaveActed);
  let left = characters;
  for (const report of reports) {
    const found = steps.get(report.id);
    if (!found || report.status === 'skipped') continue;
    const first = earlier?.[report.id]?.output ?? null;
    const output = within(isKept(found.step, report, acted) ? report.output : first, left);
    if (output !== null) left -= JSON.stringify(output).length;
    const items = (report.items ?? []).filter(({ status }) => status !== 'open');
    const wrote = report.wrote || kept[report.id]?.wrote === true;
    if (output === null && items.length === 0 && !wrote) continue;
    const { step: { action, signature, bound = false }, place } = found;
    kept[report.id] = { place, action, ...signature, epoch: bound ? binding : null, wrote, output, items };
  }
  return Object.keys(kept).length > 0 ? kept : null;
}

/** A write that got no definite answer may have taken effect. */
function mayHaveActed({ wrote, status, effect, failure }: StepReport): boolean {
  if (wrote) return true;
  const isWrite = effect === 'write' || effect === 'associate';
  return isWrite && status === 'failed' && failure?.kind === 'transient' && !withoutEffect.has(failure.code);
}

/** A step that is not repeated is kept in any case, but a read: it may find more the next time. */
function isKept({ repeat = 'anew' }: Step, { status, effect }: StepReport, acted: boolean): boolean {
  if (status !== 'done' || repeat === 'anew') return false;
  return acted || (repeat === 'kept' && effect !== 'read');
}

const within = (output: StepOutput | null, characters: number): StepOutput | null =>
  output !== null && JSON.stringify(output).length <= characters ? output : null;
