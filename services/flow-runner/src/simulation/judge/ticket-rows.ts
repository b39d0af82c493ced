import type { RecordRow } from '@sluice/ports';
import { ticketsOf, type SimTicket } from '../worlds/sim-payload';
import type { SimEvent } from '../sim-traffic';
import { portalsOfEnd, ticketKeyOf, unitTextOf, type Trial } from './trial';

/** The outcome of one ticket of an event. */
export interface TicketRow {
  ticket: SimTicket;
  row: RecordRow;
  crmId: string | null;
  created: boolean;
  deleted: boolean;
  /** The record to delete did not exist any more: deleted by an earlier attempt or by another client. */
  alreadyAbsent: boolean;
  skipped: boolean;
  reason: string | null;
}

interface Output {
  crm_id?: string | null;
  created?: boolean;
  deleted?: boolean;
  already_absent?: boolean;
  skipped?: boolean;
  reason?: string | null;
}

/** The outcome of a row: of the single ticket of its event, or of its entry in the list. */
export function ticketRow({ payload }: SimEvent, row: RecordRow): TicketRow {
  const { status, output } = row.steps.at(-1) ?? {};
  const said = (output ?? {}) as Output;
  const place = row.item === undefined ? 0 : Number(row.item.split('/')[1]);
  return {
    row,
    ticket: ticketsOf(payload)[place]!,
    crmId: said.crm_id ?? row.crmId,
    created: said.created === true,
    deleted: said.deleted === true,
    alreadyAbsent: said.already_absent === true,
    skipped: said.skipped === true || status === 'skipped',
    reason: said.reason ?? row.reason,
  };
}

/** The records of its tickets that an event reports as created or written, by identity and by name. */
export function writtenTickets(trial: Trial, event: SimEvent): { key: string; record: string; item: number }[] {
  const said = trial.rowsOf.get(unitTextOf(event.envelope))!.map((row) => ticketRow(event, row));
  const isWritten = ({ row, skipped, created }: TicketRow): boolean =>
    row.status === 'completed' && !skipped && (created || row.item !== undefined);
  return said.filter(isWritten).flatMap(({ ticket, crmId, row }) => {
    const found = ticketRecord(trial, event, ticket, crmId, row);
    return found ? [{ ...found, item: ticket.item }] : [];
  });
}

/** Which record of a ticket's identity has this id. */
export function ticketRecord(
  trial: Trial,
  event: SimEvent,
  { subject }: SimTicket,
  crmId: string | null,
  row: Pick<RecordRow, 'entityName'>,
): { key: string; record: string } | undefined {
  for (const portal of portalsOfEnd(trial, event)) {
    const key = ticketKeyOf(portal, subject, row.entityName === 'memo' ? 'companies' : 'tickets');
    const record = trial.crm.idsOf.get(key)?.find((one) => one.endsWith(`/${crmId}`));
    if (record !== undefined) return { key, record };
  }
  return undefined;
}
