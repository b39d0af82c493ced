import { lanePartition } from '@sluice/contracts';
import type { RecordRow } from '@sluice/ports';
import type { CrmFault, FaultKind } from '../crm-log';
import { ticketsOf } from '../worlds/sim-payload';
import { simPartitions, type SimEvent } from '../sim-traffic';
import { attemptsOf, type Attempt } from './attempts';
import { keysNamedBy, portalsOf, recordKeyOf, recordsOf, unitTextOf, type Trial } from './trial';

/** The faults that make an attempt fail with a code. */
const causes: Readonly<Record<string, readonly FaultKind[]>> = {
  crm_unavailable: ['before', 'poison'], crm_unreachable: ['after', 'late', 'hung'], crm_rate_limited: ['limited'],
  crm_unauthorized: ['unauthorized'], crm_forbidden: ['forbidden'], crm_search_stale: ['missing'], target_deleted: ['missing'],
  credential_refresh_failed: ['before', 'after', 'late', 'limited'],
  credential_refresh_busy: ['hung', 'late'],
  // An item of a list ends with it when another one meets what ends its event, like a missing right.
  identity_claim_renewed: ['missing'],
  crm_not_found: ['missing'], crm_rejected: ['refused'], target_unavailable: ['before'], target_not_reached: ['before'],
  target_no_answer: ['after'],
};

/** The longest time that others wait for a claim whose owner has stopped. */
const claimMs = 120_000;

/** The excuse of a failed event: a fault that was injected into this attempt of this event. */
interface Case {
  trial: Trial;
  portals: readonly string[];
  event: SimEvent;
  /** The records that the event names, in lower case. */
  records: readonly string[];
}

/**
 * Whether a fault affected an attempt: its call carried the event's number or named one of its records, and was answered during
 * it.
 */
function met({ heardAt, about }: CrmFault, { event, records }: Case, { from, to }: Attempt): boolean {
  if (heardAt === null || heardAt < from || heardAt > to) return false;
  if (about.shared === true || about.numbers.includes(event.payload.n)) return true;
  return about.records.some((record) => records.includes(record));
}

/** The CRM refuses these values permanently. */
const isRefused = ({ payload }: SimEvent): boolean =>
  ticketsOf(payload).length === 0 && /^poison-(400|207)/.test(payload.customer.email);

/** Another order had this number, or has it now. */
function meetsStranger({ trial, portals, event }: Case): boolean {
  const records = portals.flatMap((portal) => recordsOf(trial, portal, event, 'order'));
  const writers = records.flatMap((record) => trial.byRecord.get(record) ?? []).map(({ n }) => trial.byNumber.get(n)!);
  return writers.some(({ payload }) => payload.title !== event.payload.title);
}

/**
 * The customer that an event links, or its order, which an event of another connector has made, was not in the CRM when the
 * attempt began, or was deleted before it ended.
 */
function counterpartMissing({ trial, portals, event }: Case, { from, to }: Attempt): boolean {
  const { byRecord, crm } = trial;
  const isMissing = (id: string): boolean => byRecord.get(id)![0]!.at >= from || (crm.deleted.get(id) ?? Infinity) <= to;
  const areMissing = (portal: string, entity: string): boolean => recordsOf(trial, portal, event, entity).every(isMissing);
  return portals.some((portal) => areMissing(portal, 'customer') || areMissing(portal, 'order'));
}

/** The identities that an event has to claim before it makes a record, in lower case: of its order, or of its tickets. */
function claimedBy({ portals, event }: Case): string[] {
  const keysIn = (portal: string): string[] =>
    ticketsOf(event.payload).length > 0 ? keysNamedBy(portal, event) : [recordKeyOf(portal, event, 'order')];
  return portals.flatMap(keysIn).map((key) => key.toLowerCase());
}

/**
 * Whether another unit that had claimed an identity of this event was working on it during the attempt, or could not know whether
 * the record exists: a call about it had a fault, its process was disturbed after the claim, or its partition moved.
 */
function claimInDoubt(its: Case, { from, to }: Attempt): boolean {
  const { trial: { notes, crm }, event } = its;
  const records = claimedBy(its);
  const partition = lanePartition(event.envelope.connector_id, '', 1, simPartitions);
  return notes.claims.some((claim) => {
    if (!records.includes(claim.record) || claim.at > to || claim.at < to - claimMs) return false;
    const isAtWork = claim.unit !== unitTextOf(event.envelope) && (notes.endedAt.get(claim.unit) ?? to) >= from;
    const afterClaim = ({ at }: { at: number }): boolean => at >= claim.at && at <= to;
    return isAtWork || crm.faults.some((fault) => afterClaim(fault) && fault.about.records.includes(claim.record))
      || notes.moves.some((move) => afterClaim(move) && move.partition === partition)
      || [...notes.troubles, ...notes.lost].some((trouble) => trouble.by === claim.by && afterClaim(trouble));
  });
}

function isExcused(its: Case, attempt: Attempt): boolean {
  const { code } = attempt;
  if (code === 'crm_rejected' && isRefused(its.event)) return true;
  if (code === 'identity_guard') return meetsStranger(its);
  if (code === 'related_record_not_synced') return counterpartMissing(its, attempt);
  if (code === 'identity_claimed' || code === 'identity_unresolved') return claimInDoubt(its, attempt);
  // An entry of a list keeps the end that it had in an earlier attempt.
  const during = code === 'crm_rejected' ? { ...attempt, from: Date.parse(its.event.envelope.accepted_at) } : attempt;
  return its.trial.crm.faults.some((fault) => causes[code]?.includes(fault.kind) && met(fault, its, during));
}

/** The failed attempt of an event without an injected fault of its own; null: each has its fault. */
export function unexcused(trial: Trial, event: SimEvent, row: RecordRow): Attempt | null {
  const portals = portalsOf(trial, event);
  const records = portals.flatMap((portal) => keysNamedBy(portal, event)).map((key) => key.toLowerCase());
  return attemptsOf(trial, event, row).find((attempt) => !isExcused({ trial, portals, event, records }, attempt)) ?? null;
}
