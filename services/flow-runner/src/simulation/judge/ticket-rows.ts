import type { RecordRow } from '@sluice/ports';
import { ticketsOf, type SimTicket } from '../sim-payload';
import type { SimEvent } from '../sim-traffic';
import { portalsOf, ticketKeyOf, unitTextOf, type Trial } from './trial';

/** What an event says of one of its tickets. */
export interface TicketRow {
  ticket: SimTicket;
  row: RecordRow;
  crmId: string | null;
  created: boolean;
  deleted: boolean;
  /** What was to be deleted was gone: by an earlier attempt, or by somebody else. */
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

/** What a row says: of the one ticket of its event, or of the entry of its list that it stands for. */
export function ticketRow({ payload }: SimEvent, row: RecordRow): TicketRow {
  const { status, output } = row.steps.at(-1) ?? {};
  const said = (output ?? {}) as Output;
  const place = row.item === undefined ? 0 : Number(row.item.split('/')[1]);
  return {
    row,
    ticket: ticketsOf(payload)[place]!,
    crmId: said.crm_id ?? null,
    created: said.created === true,
    deleted: said.deleted === true,
    alreadyAbsent: said.already_absent === true,
    skipped: said.skipped === true || status === 'skipped',
    reason: said.reason ?? null,
  };
}

/** The records of its tickets that an event says it made or wrote, by identity and by name. */
export function writtenTickets(trial: Trial, event: SimEvent): { key: string; record: string; item: number }[] {
  const said = trial.rowsOf.get(unitTextOf(event.envelope))!.map((row) => ticketRow(event, row));
  const isWritten = ({ row, skipped, created }: TicketRow): boolean =>
    row.status === 'completed' && !skipped && (created || row.item !== undefined);
  return said.filter(isWritten).flatMap(({ ticket, crmId }) => {
    const found = ticketRecord(trial, event, ticket, crmId);
    return found ? [{ ...found, item: ticket.item }] : [];
  });
}

/** Which record of a ticket's identity has this id. */
export function ticketRecord(
  trial: Trial,
  event: SimEvent,
  { subject }: SimTicket,
  crmId: string | null,
): { key: string; record: string } | undefined {
  for (const portal of portalsOf(trial, event)) {
    const key = ticketKeyOf(portal, subject);
    const record = trial.crm.idsOf.get(key)?.find((one) => one.endsWith(`/${crmId}`));
    if (record !== undefined) return { key, record };
  }
  return undefined;
}
