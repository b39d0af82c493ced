import { isUncounted } from '@sluice/contracts/step-failure';
import { isQuarantined, type StepItem } from '@sluice/flow-engine';
import { type BulkStep, type BulkSteps, type RecordRow, type RecordStatus, type StepTrace, timeOrderedUuid } from '@sluice/ports';
import { recordRow, type RowFacts } from './record-row';
import type { Unit } from '../unit';

/** The facts for all rows of a unit: its own row, and its bulk steps. */
export interface UnitFacts extends RowFacts {
  bulk?: BulkSteps;
  /** A step wrote, or should have written, a single record: the unit has its own row beside those of items. */
  single?: boolean;
}

/**
 * The rows of a unit that has ended: one per item of its bulk steps (docs/reference/events.md, Record outcomes), and one for the
 * unit itself unless the rows of its items are enough.
 */
export function unitRows(unit: Unit, attempts: number, completedAt: Date, facts: UnitFacts): RecordRow[] {
  const { bulk = {}, single = true } = facts;
  const steps = Object.entries(bulk).sort(([, one], [, other]) => one.place - other.place);
  if (steps.length === 0) return [recordRow(unit, attempts, completedAt, facts)];
  const items = steps.flatMap(([stepId, step]) =>
    step.items.map((item) => itemRow(unit, attempts, completedAt, facts, stepId, step, item)),
  );
  const told = facts.errorCode === undefined || facts.errorCode === null || (bulk[facts.stepId ?? '']?.items.length ?? 0) > 0;
  if (items.length === 0 || single || !told) return [recordRow(unit, attempts, completedAt, facts), ...items];
  const [first, ...others] = items;
  const rest = (facts.steps ?? []).filter(({ id }) => id !== first!.stepId);
  return [{ ...first!, steps: [...rest, ...first!.steps] }, ...others];
}

function itemRow(
  unit: Unit,
  attempts: number,
  completedAt: Date,
  facts: RowFacts,
  stepId: string,
  step: BulkStep,
  item: StepItem,
): RecordRow {
  const failure = endsWithAttempt(item, facts) ? failureOf(facts) : item.failure;
  const status = statusOf(item, facts.reason === 'expired' ? 'dlq' : facts.status);
  const row = recordRow(unit, attempts, completedAt, {
    status,
    flowName: facts.flowName,
    configVersion: facts.configVersion,
    entityName: item.entity,
    action: step.action,
    stepId,
    crmId: item.crm_id,
    error: failure?.message ?? null,
    errorKind: failure?.kind ?? null,
    errorCode: failure?.code ?? null,
    reason: status === 'dlq' ? (facts.reason ?? null) : item.reason,
  });
  return {
    ...row,
    id: itemRowId(unit, step.place, item.index),
    item: `${stepId}/${item.index}`,
    externalId: item.external_id,
    steps: traceOf(facts, stepId, { ...item, failure }),
  };
}

/**
 * Whether an open item ends by the failure that ended the attempt: it was not tried, or its own failure uses up no attempt, while
 * that of another item used up the last one. Attempts are those of the event.
 */
function endsWithAttempt({ status, failure }: StepItem, { errorKind, errorCode, reason }: RowFacts): boolean {
  if (status !== 'open') return false;
  return failure === null || (isUncounted(failure.code) && errorKind === 'transient' && !!errorCode && !reason);
}

/** The failure that ended the attempt. */
function failureOf({ error, errorKind, errorCode }: RowFacts): StepItem['failure'] {
  return errorKind && errorCode ? { kind: errorKind, code: errorCode, message: error ?? '' } : null;
}

/** Nothing of an open item was written: it ends like a record whose attempts are used up, or that expired. */
function statusOf({ status, failure }: StepItem, ofUnit: RecordStatus): RecordStatus {
  switch (status) {
    case 'succeeded':
      return 'completed';
    case 'skipped':
      return 'skipped';
    case 'failed':
      return failure && isQuarantined(failure) ? 'quarantined' : 'failed';
    case 'open':
      if (ofUnit === 'dlq') return 'dlq';
      return failure?.kind === 'fatal' || ofUnit === 'failed' ? 'failed' : 'parked';
  }
}

/** The step with the result of this item only: the other items have their own rows. */
function traceOf(
  { steps = [] }: RowFacts,
  stepId: string,
  { external_id, crm_id, status, reason, failure }: StepItem,
): StepTrace[] {
  const trace = steps.find(({ id }) => id === stepId);
  if (!trace) return [];
  const error = failure?.message ?? null;
  const ended = { succeeded: 'ok', skipped: 'skipped', failed: 'failed', open: 'failed' } as const;
  return [{ ...trace, status: ended[status], error, output: { external_id, crm_id, status, error, reason } }];
}

/**
 * Id of an item's row: writing it again conflicts instead of making a second one. Its last digits count up, so that the rows of
 * an event sort like its steps and lists; a payload of 10 MiB has fewer than 16 million items.
 */
function itemRowId({ keyText, envelope }: Unit, place: number, index: number): string {
  const end = place.toString(16).padStart(3, '0') + index.toString(16).padStart(6, '0');
  return timeOrderedUuid(`${keyText}#items`, Date.parse(envelope.accepted_at)).slice(0, -end.length) + end;
}
