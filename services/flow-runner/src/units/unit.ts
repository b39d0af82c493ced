import type { EventEnvelope } from '@sluice/contracts';
import type { BuiltValues, Touches } from '@sluice/flow-engine';
import { type AcceptPosition, type HeldEvent, type PartitionLease, positionOfRun, type UnitKey } from '@sluice/ports';

/** What is known of a unit before it runs: it runs as it was planned. */
export interface UnitPlan {
  /**
   * The connector's config version it was made from, under which the unit runs: with another one it might touch what a batch-mate
   * touches. null: nothing was published.
   */
  version: number | null;
  match: 'flow' | 'disabled' | 'none';
  /** The flow that it matched; of a disabled one too. */
  flowName: string | null;
  /**
   * Whether it may share a batch with its neighbours of a connector-ordered lane, and what it then must not share. Mates are out
   * with such a unit, so it is not planned anew.
   */
  convoy: boolean;
  touches: Touches | null;
  /** What was built of the event to tell what it touches, for its store at that time: its attempt takes it over. */
  built?: { storeId: string | null; values: BuiltValues };
}

/** One unit of work in hand: an envelope, where it stands in the log, and what earlier attempts left. */
export interface Unit {
  envelope: EventEnvelope;
  key: UnitKey;
  /** Ownership under which it was fetched: every write made for it carries this epoch. */
  lease: PartitionLease;
  offset: bigint;
  position: AcceptPosition;
  traceparent: string | null;
  /** What it was planned to be; null: it could not be planned. */
  plan: UnitPlan | null;
  /** The row it was taken from; null when it comes from the log. */
  held: HeldEvent | null;
  /** Until when a write of an attempt that got no answer may still land; milliseconds since the epoch, 0: none may. */
  mayLandUntil: number;
}

export function unitOf(envelope: EventEnvelope, lease: PartitionLease, offset: bigint, traceparent: string | null): Unit {
  const key = { eventId: envelope.event_id, entityIndex: envelope.entity_index, run: envelope.run };
  return {
    envelope, lease, offset, traceparent, plan: null, held: null, mayLandUntil: 0, key,
    position: positionOf(envelope, key, lease, offset),
  };
}

/** The flow that it runs, as far as it is planned: decides which held scope it must join. */
export const flowNameOf = ({ plan }: Pick<Unit, 'plan'>): string | null => (plan?.match === 'flow' ? plan.flowName : null);

/** Whether it has waited longer than events may: a replay waits from when it was asked for. */
export const isExpired = ({ envelope }: Unit, ttlMs: number, now: number): boolean =>
  Date.parse(envelope.replayed_at ?? envelope.accepted_at) + ttlMs <= now;

/** Where the event was accepted. A replay stands at a new place of the log: only its accept time says how old it is. */
function positionOf(envelope: EventEnvelope, key: UnitKey, lease: PartitionLease, offset: bigint): AcceptPosition {
  const acceptedAt = envelope.accepted_at;
  const republished = envelope.kind === 'replay' || envelope.kind === 'resend';
  return republished ? positionOfRun(key, acceptedAt) : { partition: lease.partition, offset, acceptedAt };
}

/**
 * A held row as a unit. One that stepped aside is older than what its record may have got since: it is guarded. A replay is
 * anyhow, and stays one: its place in the log does not say how old it is.
 */
export function unitOfHeld(held: HeldEvent, lease: PartitionLease): Unit {
  const unit = unitOf(held.envelope, lease, held.offset, null);
  const envelope =
    held.reason === 'counterpart' && held.envelope.kind === 'live'
      ? { ...held.envelope, kind: 'stepped_aside' as const }
      : held.envelope;
  return { ...unit, envelope, held, mayLandUntil: held.mayLandUntil ?? 0 };
}
