import type { EnvelopeKind, EventEnvelope } from '@sluice/contracts';
import type { BuiltValues, Touches } from '@sluice/flow-engine';
import { type AcceptPosition, type HeldEvent, type PartitionLease, positionOfRun, type UnitKey, type WorkClass } from '@sluice/ports';
import { unitKeyText } from '@sluice/ports';

/** The plan of a unit, made before it runs. */
export interface UnitPlan {
  /**
   * The config version that the plan was made with and the unit runs under: with another one it might touch the records of its
   * convoy. null: nothing was published.
   */
  version: number | null;
  match: 'flow' | 'disabled' | 'none';
  /** The flow that it matched, also a disabled one. */
  flowName: string | null;
  /** Its source by its name in that version; that of its envelope when nothing was published. */
  sourceName: string;
  /**
   * Whether it may run in a convoy with its neighbours of a connector-ordered lane. Such a unit is not planned again, because
   * others of its convoy may have started.
   */
  convoy: boolean;
  touches: Touches | null;
  /** Values computed from the event to find what it touches, with its store at that time: its attempt reuses them. */
  built?: { storeId: string | null; values: BuiltValues };
}

/** One unit of work in hand: an envelope, its position in the log, and the state of earlier attempts. */
export interface Unit {
  envelope: EventEnvelope;
  key: UnitKey;
  /** `unitKeyText` of the key, which is asked for half a dozen times. */
  keyText: string;
  /** Ownership under which it was fetched: every write made for it carries this epoch. */
  lease: PartitionLease;
  offset: bigint;
  position: AcceptPosition;
  traceparent: string | null;
  /** null: it could not be planned. */
  plan: UnitPlan | null;
  /** The held row that it was taken from; null when it comes from the log. */
  held: HeldEvent | null;
  /** Until when a write without an answer may still take effect; milliseconds since the epoch, 0: none may. */
  mayLandUntil: number;
  /** A class that goes before its own, because work of that class waits for it. */
  hurried?: WorkClass;
  /** Whether live events of its lane are in hand, which wait for it. Absent: it is live itself, or held. */
  isAwaited?: (() => boolean) | undefined;
}

const classes: Readonly<Record<EnvelopeKind, WorkClass>> = {
  live: 'live', stepped_aside: 'live', replay: 'replay', resend: 'replay', import: 'import',
};

/** The class in which it uses its portal: that of live events while they wait for it. */
export function classOf({ envelope, hurried, isAwaited }: Pick<Unit, 'envelope' | 'hurried' | 'isAwaited'>): WorkClass {
  const own = classes[envelope.kind];
  return own !== 'live' && isAwaited?.() ? 'live' : (hurried ?? own);
}

export function unitOf(envelope: EventEnvelope, lease: PartitionLease, offset: bigint, traceparent: string | null): Unit {
  const key = { eventId: envelope.event_id, entityIndex: envelope.entity_index, run: envelope.run };
  return {
    envelope, lease, offset, traceparent, plan: null, held: null, mayLandUntil: 0, key,
    keyText: unitKeyText(key),
    position: positionOf(envelope, key, lease, offset),
  };
}

/** The flow that it runs according to its plan: decides which held scope it must join. */
export const flowNameOf = ({ plan }: Pick<Unit, 'plan'>): string | null => (plan?.match === 'flow' ? plan.flowName : null);

/** Whether it has waited longer than events may: a replay waits from when it was asked for. */
export const isExpired = ({ envelope }: Unit, ttlMs: number, now: number): boolean =>
  Date.parse(envelope.replayed_at ?? envelope.accepted_at) + ttlMs <= now;

/**
 * The position at which the event was accepted. Replays and rows of imports come into the log later than that: only their accept
 * time shows their age.
 */
function positionOf(envelope: EventEnvelope, key: UnitKey, lease: PartitionLease, offset: bigint): AcceptPosition {
  const acceptedAt = envelope.accepted_at;
  const isLate = envelope.kind === 'replay' || envelope.kind === 'resend' || envelope.kind === 'import';
  return isLate ? positionOfRun(key, acceptedAt) : { partition: lease.partition, offset, acceptedAt };
}

/**
 * A held row as a unit. A unit that stepped aside may be older than later writes to its record: it is guarded. A replay is always
 * guarded: its offset in the log does not show its age.
 */
export function unitOfHeld(held: HeldEvent, lease: PartitionLease): Unit {
  const unit = unitOf(held.envelope, lease, held.offset, null);
  const envelope =
    held.reason === 'counterpart' && held.envelope.kind === 'live'
      ? { ...held.envelope, kind: 'stepped_aside' as const }
      : held.envelope;
  return { ...unit, envelope, held, mayLandUntil: held.mayLandUntil ?? 0 };
}
