import type { RecordRow } from '@sluice/ports';
import type { SimEvent } from '../sim-traffic';
import { portalsOfEnd, ticketKeyOf, unitTextOf, type Trial } from './trial';

/** Whether a row of an event is that of the step that marks the first record of its list. */
export const isMark = ({ envelope }: SimEvent, { item, stepId }: RecordRow): boolean =>
  envelope.event_type === 'tickets.marked' && item === undefined && stepId === 'mark';

const typesOfLists = ['tickets', 'companies'];

/**
 * An event marks only a record of the first entry of its list, in whatever portal: the id of a record means another one in
 * another portal.
 */
export function judgeMarks({ crm, byNumber }: Trial): void {
  for (const { record, n } of crm.marks) {
    const { subject } = byNumber.get(n)!.payload.tickets![0]!.ticket;
    const portal = record.split(' ')[0]!;
    const isIts = typesOfLists.some((type) => crm.idsOf.get(ticketKeyOf(portal, subject, type))?.includes(record));
    if (!isIts) throw new Error(`mark: ${n} marked ${record}, which is not its ${subject}`);
  }
}

/** What the row of a mark says is true in the CRM, in the portal in which the event ended. */
export function judgeMarkRow(trial: Trial, event: SimEvent, { status, crmId, steps, configVersion }: RecordRow): void {
  const said = steps.at(-1)!;
  const unit = unitTextOf(event.envelope);
  if (status === 'skipped' || (said.output as { skipped?: boolean }).skipped === true) return;
  const records = portalsOfEnd(trial, event).map((portal) => `${portal} ${typeOf(configVersion)}/${crmId}`);
  if (trial.crm.marks.some(({ record, n }) => records.includes(record) && n === event.payload.n)) return;
  throw new Error(`mark: ${unit} says that it marked ${crmId}, and did not`);
}

/** What a version of the config writes for the entries of a list. */
const typeOf = (version: number | null): string => (version === 2 ? 'companies' : 'tickets');
