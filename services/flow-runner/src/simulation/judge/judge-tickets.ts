import { isLaterPosition } from '@sluice/ports';
import type { LandedWrite } from '../crm-log';
import { ticketsOf } from '../worlds/sim-payload';
import type { SimEvent } from '../sim-traffic';
import { isOvertaking } from './overtaking';
import { isOrphan } from './restored';
import { ticketRow, writtenTickets } from './ticket-rows';
import { areOrdered, isReplay, portalsOfEnd, ticketKeyOf, unitTextOf, type Trial } from './trial';

/**
 * Checks tickets, which are created, deleted and written in lists: no second record for one event after any crash, a deleted
 * record stays deleted unless something newer creates it again, and in a list the later entry of a record counts.
 */
export function judgeTickets(trial: Trial): void {
  const makers = makersOf(trial);
  judgeMadeOnce(trial, makers);
  judgeDeletedForGood(trial, makers);
  judgeLists(trial);
}

/** The first write of each record, which created it. */
interface Maker extends LandedWrite {
  key: string;
  event: SimEvent;
}

function makersOf({ crm, byRecord, byNumber }: Trial): Maker[] {
  const tickets = [...crm.idsOf].filter(([key]) => / (tickets|companies)\//.test(key));
  return tickets.flatMap(([key, records]) =>
    records.map((record) => {
      const first = byRecord.get(record)![0]!;
      return { ...first, key, event: byNumber.get(first.n)! };
    }),
  );
}

/** An event does not create a second record of a ticket while its first one exists. */
function judgeMadeOnce({ crm, notes }: Trial, makers: readonly Maker[]): void {
  if (notes.restores.length > 0) return;
  for (const second of makers) {
    const isFirst = (one: Maker): boolean =>
      one !== second && one.key === second.key && one.n === second.n && one.at <= second.at;
    const first = makers.find((one) => isFirst(one) && (crm.deleted.get(one.record) ?? Infinity) > second.at);
    if (first) throw new Error(`created: ${second.n} made ${first.record} and ${second.record}`);
  }
}

/** An older event does not create again what a deletion of the same lane, or one known to the store, had removed. */
function judgeDeletedForGood(trial: Trial, makers: readonly Maker[]): void {
  const deletions = trial.sent.flatMap((event) => deletionOf(trial, event));
  for (const maker of makers) {
    if (isOrphan(trial, maker.event, maker) || isOvertaking(trial, maker)) continue;
    const after = isGuarded(trial, maker)
      ? undefined
      : deletions.find(
          ({ event, key, at }) =>
            key === maker.key && at < maker.sentAt && event.payload.n > maker.n && areOrdered(event, maker.event),
        );
    if (after && trial.notes.restores.length === 0)
      throw new Error(`deleted: ${maker.n} made ${maker.record} anew, which ${after.event.payload.n} had deleted`);
    if (isGuarded(trial, maker)) judgeGuarded(trial, maker);
  }
}

const isGuarded = ({ notes }: Trial, { event, sentAt }: Maker): boolean =>
  isReplay(event) || sentAt >= (notes.passedSince.get(unitTextOf(event.envelope)) ?? Infinity);

/** A deletion that an event reports as its own: of which ticket, and when. */
function deletionOf(trial: Trial, event: SimEvent): { event: SimEvent; key: string; at: number }[] {
  const row = trial.rowOf.get(unitTextOf(event.envelope))!;
  if (event.envelope.event_type !== 'ticket.closed' || row.status !== 'completed') return [];
  const { deleted, alreadyAbsent, crmId, ticket } = ticketRow(event, row);
  if (!deleted || alreadyAbsent) return [];
  const named = portalsOfEnd(trial, event).map((portal) => `${portal} tickets/${crmId}`);
  return [...trial.crm.deleted]
    .filter(([record]) => named.includes(record))
    .map(([record, at]) => ({ event, key: ticketKeyOf(record.split(' ')[0]!, ticket.subject), at }));
}

/**
 * An event that may be late reads the store before it creates a record, and creates none that something newer had deleted by
 * then.
 */
function judgeGuarded({ notes, positions }: Trial, { event, by, sentAt, key, record, n }: Maker): void {
  const { connector_id: connectorId } = event.envelope;
  const position = positions.get(unitTextOf(event.envelope))!;
  const isItsTicket = (one: { connectorId: string; externalId: string }): boolean =>
    one.connectorId === connectorId && key.endsWith(` tickets/${one.externalId}`);
  const isOwn = ({ position: { offset, partition } }: { position: typeof position }): boolean =>
    offset === position.offset && partition === position.partition;
  const look = notes.removalLooks.findLast((one) => one.by === by && one.at <= sentAt && isItsTicket(one) && isOwn(one));
  const lookedAt = look?.at ?? sentAt - lookMs;
  const isKept = ({ at, until }: Trial['notes']['removals'][number]): boolean =>
    at < lookedAt && (until === null || until > lookedAt);
  const known = notes.removals.find((one) => isItsTicket(one) && isKept(one) && isLaterPosition(one.position, position));
  if (known) throw new Error(`deleted: ${n} made ${record} anew, the store knew of a deletion of ${known.position.acceptedAt}`);
}

/** If no read of the store is known, one was possible this long before the write. */
const lookMs = 10_000;

/** The last write of an event to a record is its last entry for it. */
function judgeLists(trial: Trial): void {
  for (const event of [...trial.sent, ...trial.replays]) {
    if (ticketsOf(event.payload).length < 2) continue;
    const written = writtenTickets(trial, event);
    for (const { record } of written) {
      const last = Math.max(...written.filter((one) => one.record === record).map(({ item }) => item));
      const writes = trial.byRecord.get(record)!.filter((write) => write.n === event.payload.n && !isOrphan(trial, event, write));
      const landed = writes.at(-1);
      if (landed && landed.item < last && !isOvertaking(trial, landed))
        throw new Error(`list: ${record} got entry ${landed.item} of ${event.payload.n} after entry ${last}`);
    }
  }
}
