import { isLaterPosition, type RecordRow } from '@sluice/ports';
import type { SimEvent } from '../sim-traffic';
import { ticketRecord, ticketRow, writtenTickets, type TicketRow } from './ticket-rows';
import { areOrdered, isReplay, portalsOf, ticketKeyOf, unitTextOf, type Trial } from './trial';

/** Checks that a row agrees with the CRM about its ticket: created, written, deleted, or correctly not changed. */
export function judgeTicketRow(trial: Trial, event: SimEvent, row: RecordRow): void {
  const said = ticketRow(event, row);
  if (row.status === 'skipped' || said.skipped) judgeSkipped(trial, event, said);
  else if (event.envelope.event_type === 'ticket.closed') judgeDeleted(trial, event, said);
  else judgeWritten(trial, event, said);
}

const nameOf = ({ envelope }: SimEvent, { ticket }: TicketRow): string => `${unitTextOf(envelope)} on ${ticket.subject}`;

function judgeWritten(trial: Trial, event: SimEvent, said: TicketRow): void {
  const { record } = ticketRecord(trial, event, said.ticket, said.crmId, said.row) ?? {};
  if (record === undefined) throw new Error(`record: ${nameOf(event, said)} says that it is ${said.crmId}, the CRM does not`);
  const { n, item } = said.ticket;
  const isWritten = (trial.byRecord.get(record) ?? []).some((write) => write.n === n && write.item === item);
  if (!isWritten) throw new Error(`landed: ${nameOf(event, said)} says that it wrote ${record}, and did not`);
}

/**
 * Whether another event wrote the record before this one ended. An attempt without a stored outcome may have created it, and the
 * next attempt recognizes its own record by its values: a record with values of another event counts as existing before.
 */
function isOverwritten({ byRecord, notes }: Trial, event: SimEvent, record: string): boolean {
  const endedAt = notes.endedAt.get(unitTextOf(event.envelope))!;
  return byRecord.get(record)!.some(({ n, at }) => n !== event.payload.n && at <= endedAt);
}

function judgeDeleted(trial: Trial, event: SimEvent, said: TicketRow): void {
  const { record } = ticketRecord(trial, event, said.ticket, said.crmId, said.row) ?? {};
  if (said.deleted && record !== undefined && trial.crm.deleted.has(record)) return;
  throw new Error(`deleted: ${nameOf(event, said)} says that it deleted ${said.crmId}, the CRM does not`);
}

function judgeSkipped(trial: Trial, event: SimEvent, said: TicketRow): void {
  const { reason, crmId, ticket } = said;
  const name = nameOf(event, said);
  if (reason === 'superseded') {
    if (!gaveWay(trial, event, said)) throw new Error(`skipped: ${name} is superseded by nothing newer`);
  } else if (reason === 'already_mapped' || reason === 'already_exists') {
    const { record } = ticketRecord(trial, event, ticket, crmId, said.row) ?? {};
    if (record === undefined) throw new Error(`record: ${name} says that ${crmId} was there, the CRM does not`);
    const isOwn = trial.byRecord.get(record)![0]!.n === event.payload.n;
    if (isOwn && trial.notes.restores.length === 0 && !isOverwritten(trial, event, record))
      throw new Error(`created: ${name} made ${record} and says that it was there`);
  } else if (reason === 'record_not_found') {
    const made = knownBefore(trial, event, said);
    if (made !== undefined) throw new Error(`deleted: ${name} found nothing, where ${made} was made before it in its lane`);
  } else throw new Error(`outcome: ${name} is skipped as ${reason}`);
}

/** Only a replay and a repeated attempt are superseded, and only by something newer that was written, or by a newer deletion. */
function gaveWay(trial: Trial, event: SimEvent, { ticket }: TicketRow): boolean {
  const { notes, crm, byRecord, byNumber, positions } = trial;
  const unit = unitTextOf(event.envelope);
  if (!isReplay(event) && !notes.heldAt.has(unit)) return false;
  const own = positions.get(unit)!;
  const isNewer = (n: number): boolean => isLaterPosition(positions.get(unitTextOf(byNumber.get(n)!.envelope))!, own);
  const types = event.envelope.event_type === 'tickets.marked' ? ['tickets', 'companies'] : ['tickets'];
  const keys = portalsOf(trial, event).flatMap((portal) => types.map((type) => ticketKeyOf(portal, ticket.subject, type)));
  const records = keys.flatMap((key) => crm.idsOf.get(key) ?? []);
  if (records.some((record) => byRecord.get(record)!.some(({ n }) => isNewer(n)))) return true;
  return [...trial.sent, ...trial.replays].some(
    (other) =>
      other.envelope.event_type === 'ticket.closed' &&
      other.payload.ticket!.subject === ticket.subject &&
      isNewer(other.payload.n),
  );
}

/**
 * A record of this ticket that an earlier event of the lane had created or written before the deletion began, so that it was
 * mapped, and that existed until the deletion had ended. Not when mappings were lost: with a binding, or with a restored store.
 */
function knownBefore(trial: Trial, event: SimEvent, { ticket, row }: TicketRow): string | undefined {
  const { notes, crm, changes, sent } = trial;
  const {
    envelope,
    payload: { n },
  } = event;
  const epochs = changes
    .filter(({ change }) => change.connector_id === envelope.connector_id)
    .map(({ change }) => change.binding!.epoch);
  if (notes.restores.length > 0 || new Set(epochs).size > 1 || isReplay(event)) return undefined;
  const endedAt = notes.endedAt.get(unitTextOf(envelope))!;
  const beganAt = Date.parse(row.steps.at(-1)?.started_at ?? row.completedAt);
  const hadEnded = (other: SimEvent): boolean => notes.firstEndedAt.get(unitTextOf(other.envelope))! < beganAt;
  const earlier = sent.filter((other) => other.payload.n < n && areOrdered(other, event) && hadEnded(other));
  const key = ticketKeyOf(portalsOf(trial, event)[0]!, ticket.subject);
  const isThere = (record: string): boolean => (crm.deleted.get(record) ?? Infinity) > endedAt;
  return earlier
    .flatMap((other) => writtenTickets(trial, other))
    .find((written) => written.key === key && isThere(written.record))?.record;
}
