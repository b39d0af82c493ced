import type { RecordReason } from '@sluice/contracts';
import type { ErrorKind, FailureCode, RecordRow, RecordStatus, StepTrace } from '@sluice/ports';
import { timeOrderedUuid } from '@sluice/ports';
import type { Unit } from '../unit';

/**
 * Id of a unit's row: writing it again conflicts instead of making a second row.
 * @param createdAt when its event was accepted, in ISO 8601
 */
export const rowId = (unitKey: string, createdAt: string): string => timeOrderedUuid(`${unitKey}#0`, Date.parse(createdAt));

/** The fields of a row beside those of its unit. */
export interface RowFacts {
  status: RecordStatus;
  flowName: string | null;
  configVersion: number | null;
  entityName?: string | null;
  externalId?: string | null;
  action?: string | null;
  stepId?: string | null;
  crmId?: string | null;
  error?: string | null;
  errorKind?: ErrorKind | null;
  errorCode?: FailureCode | null;
  reason?: RecordReason | null;
  steps?: StepTrace[];
}

/** Statuses whose rows may be run again (docs/reference/events.md, Record outcomes). */
const replayable: ReadonlySet<RecordStatus> = new Set(['failed', 'parked', 'partial_success', 'dlq', 'quarantined']);

/**
 * A row ends no earlier than its event was accepted, also where the clock of the store, which tells `completedAt`, is behind that
 * of the acceptor.
 */
export function recordRow(unit: Unit, attempts: number, completedAt: Date, facts: RowFacts): RecordRow {
  const { envelope, plan } = unit;
  return {
    id: rowId(unit.keyText, envelope.accepted_at),
    organizationId: envelope.organization_id,
    connectorId: envelope.connector_id,
    unit: unit.key,
    flowName: facts.flowName,
    sourceName: plan?.sourceName ?? envelope.source_name,
    eventType: envelope.event_type,
    entityName: facts.entityName ?? null,
    externalId: facts.externalId ?? envelope.external_id,
    action: facts.action ?? null,
    stepId: facts.stepId ?? null,
    status: facts.status,
    error: facts.error ?? null,
    errorKind: facts.errorKind ?? null,
    errorCode: facts.errorCode ?? null,
    reason: facts.reason ?? null,
    crmId: facts.crmId ?? null,
    attempts,
    replayable: replayable.has(facts.status),
    configVersion: facts.configVersion,
    createdAt: envelope.accepted_at,
    completedAt: new Date(Math.max(completedAt.getTime(), Date.parse(envelope.accepted_at))).toISOString(),
    steps: facts.steps ?? [],
  };
}
