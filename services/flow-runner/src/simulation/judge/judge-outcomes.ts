import { isLaterPosition, type RecordRow, type StepTrace } from '@sluice/ports';
import type { CrmFault } from '../crm-log';
import { ticketsOf } from '../worlds/sim-payload';
import type { SimEvent } from '../sim-traffic';
import { unexcused } from './excuses';
import { isMark, judgeMarkRow } from './judge-marks';
import { isTelling } from './judge-told';
import { judgeTicketRow } from './judge-ticket-row';
import { isReplay, portalsOf, recordKeyOf, recordsOf, stepsOf, unitTextOf, writtenRecord, type Trial } from './trial';

interface StepOutput {
  crm_id?: string | null;
  skipped?: boolean | number;
  reason?: string | null;
  associated?: number;
}

/** Checks that each accepted event has one outcome, that the CRM agrees with the outcome, and that each failure was injected. */
export function judgeOutcomes(trial: Trial): void {
  const accepted = [...trial.sent, ...trial.replays];
  for (const event of accepted) {
    const rows = trial.rowsOf.get(unitTextOf(event.envelope)) ?? [];
    if (!isWhole(event, rows)) throw new Error(`outcome: ${unitTextOf(event.envelope)} has ${rows.length} rows`);
  }
  if (trial.rowsOf.size !== accepted.length) throw new Error('outcome: there are rows of events that were not sent');
  for (const event of accepted)
    for (const row of trial.rowsOf.get(unitTextOf(event.envelope))!) judgeOutcome(trial, event, row);
}

/** One row for an event, or one for each entry of its list; beside a list the step that marks its first record has a row. */
function isWhole({ envelope, payload }: SimEvent, rows: readonly RecordRow[]): boolean {
  const items = rows.filter(({ item }) => item !== undefined);
  const others = rows.filter(({ item }) => item === undefined);
  if (items.length === 0) return others.length === 1;
  if (new Set(items.map(({ item }) => item)).size < items.length) return false;
  // Of an event whose connector was deleted half way only the entries that had landed have a row.
  if (others.some(({ reason }) => reason === 'connector_deleted')) return others.length === 1;
  return items.length === payload.tickets?.length && others.length <= (envelope.event_type === 'tickets.marked' ? 1 : 0);
}

function judgeOutcome(trial: Trial, event: SimEvent, row: RecordRow): void {
  const unit = unitTextOf(event.envelope);
  if (row.reason === 'crashed_runner') throw new Error(`outcome: ${unit} is quarantined, and did not end its process`);
  const isTicket = ticketsOf(event.payload).length > 0;
  if (!isTicket) for (const step of row.steps) if (step.status === 'ok') judgeStep(trial, event, step);
  const isDone = row.status === 'completed' || row.status === 'skipped';
  if (isTicket && isDone && isMark(event, row)) judgeMarkRow(trial, event, row);
  else if (isTicket && isDone) judgeTicketRow(trial, event, row);
  else if (isDone) {
    const wasDone = (id: string): boolean => ['ok',
      ...mayBeSkipped(id)].includes(row.steps.find((step) => step.id === id)?.status ?? '');
    const missing = stepsOf(event, row.configVersion!).find(({ id }) => !wasDone(id));
    if (missing) throw new Error(`outcome: ${unit} is ${row.status} without its step ${missing.id}`);
    if (row.status === 'skipped' && row.reason !== 'superseded') throw new Error(`outcome: ${unit} is skipped as ${row.reason}`);
  } else if (!wasDeleted(trial, event, row)) {
    const attempt = unexcused(trial, event, row);
    const said = `${row.status} after ${row.attempts} attempts (${row.errorCode}: ${row.error})`;
    if (attempt) throw new Error(`outcome: ${unit} is ${said}: no injected fault excuses ${attempt.code}`);
  }
}

/** The connector of an event was deleted before it ended: it ends half done where it had written, else as undelivered. */
function wasDeleted({ changes, notes, crm }: Trial, { envelope, payload }: SimEvent, { reason, status }: RecordRow): boolean {
  if (status !== 'dlq' && !(status === 'partial_success' && crm.writes.some(({ n }) => n === payload.n))) return false;
  const endedAt = notes.endedAt.get(unitTextOf(envelope))!;
  const isIt = ({ at, change }: Trial['changes'][number]): boolean =>
    change.connector_id === envelope.connector_id && change.deleted && at <= endedAt;
  return reason === 'connector_deleted' && changes.some(isIt);
}

/** A step of the flows that runs only for a new record. */
const mayBeSkipped = (id: string): string[] => (id === 'greet' ? ['skipped'] : []);

function judgeStep(trial: Trial, event: SimEvent, step: StepTrace): void {
  if (isTelling(step)) return;
  const said = step.output as StepOutput;
  const unit = unitTextOf(event.envelope);
  if (step.id === 'link') {
    if (said.associated === 1 && isAssociated(trial, event)) return;
    throw new Error(`association: ${unit} says that it linked ${event.payload.number}, the CRM does not`);
  }
  if (said.skipped === true && said.crm_id === null && isOutOfSight(trial, event, step)) return;
  const { record } = writtenRecord(trial, event, step) ?? {};
  if (record === undefined) throw new Error(`record: ${unit} says that its ${step.id} is ${said.crm_id}, the CRM does not`);
  if (said.skipped !== true) {
    const isWritten = (trial.byRecord.get(record) ?? []).some(({ n }) => n === event.payload.n);
    if (!isWritten) throw new Error(`landed: ${unit} says that it wrote ${record}, and did not`);
  } else if (!maySkip(trial, event, record) && !gaveWayBesideDeleted(trial, event, step, record)) {
    throw new Error(`skipped: ${unit} wrote nothing to ${record} (${said.reason}), where nothing newer had landed`);
  }
}

/**
 * Another client deleted a record of this identity while the event was under way: either the record that it names, so that the
 * newer write went to its successor, or the record with the newer write.
 */
function gaveWayBesideDeleted(trial: Trial, event: SimEvent, { id: entity }: StepTrace, named: string): boolean {
  const { crm, notes } = trial;
  const [from, to] = [Date.parse(event.envelope.accepted_at), notes.endedAt.get(unitTextOf(event.envelope))!];
  const records = portalsOf(trial, event).flatMap((portal) => recordsOf(trial, portal, event, entity));
  const wasDeleted = (record: string): boolean => {
    const at = crm.deleted.get(record) ?? Infinity;
    return at >= from && at <= to;
  };
  return records.filter((record) => maySkip(trial, event, record)).some((newer) => wasDeleted(newer) || wasDeleted(named));
}

/** A superseded write whose record could not be found: the search for it had a fault, or another client had deleted it. */
function isOutOfSight(trial: Trial, event: SimEvent, { id: entity, started_at: startedAt }: StepTrace): boolean {
  const { crm, notes } = trial;
  const [from, to] = [Date.parse(startedAt), notes.endedAt.get(unitTextOf(event.envelope))!];
  return portalsOf(trial, event).some((portal) => {
    const key = recordKeyOf(portal, event, entity).toLowerCase();
    const met = ({ heardAt, about }: CrmFault): boolean =>
      heardAt !== null && heardAt >= from && heardAt <= to && (about.shared === true || about.records.includes(key));
    const newer = recordsOf(trial, portal, event, entity).filter((record) => maySkip(trial, event, record));
    return newer.some((record) => (crm.deleted.get(record) ?? Infinity) <= to) || (newer.length > 0 && crm.faults.some(met));
  });
}

function isAssociated(trial: Trial, event: SimEvent): boolean {
  return portalsOf(trial, event).some((portal) => {
    const [from, to] = ['customer', 'order'].map((entity) => recordsOf(trial, portal, event, entity));
    return from!.some((one) => to!.some((other) => trial.crm.associations.has(`${one}>${other}`)));
  });
}

/** Only a replay and a repeated attempt are superseded, and only by something newer that was written. */
function maySkip({ notes, byRecord, byNumber, positions }: Trial, event: SimEvent, record: string): boolean {
  const unit = unitTextOf(event.envelope);
  if (!isReplay(event) && !notes.heldAt.has(unit)) return false;
  return byRecord.get(record)!.some(({ at, n }) => at <= notes.endedAt.get(unit)!
    && isLaterPosition(positions.get(unitTextOf(byNumber.get(n)!.envelope))!, positions.get(unit)!));
}
