import type { AcceptPosition, ClaimKey, ConflictRecord, Mapping, MappingRemoval, RecordWriteNote } from '@sluice/ports';

/** The connector's portal binding as a unit met it. */
export interface PortalBinding {
  credentialId: string;
  portalId: string;
  epoch: number;
  /** How often mappings of the connector were removed by hand: what was remembered before that counts no more. Default 0. */
  mappingsRemoved?: number;
}

/** What the writer leaves behind for a unit, to be stored in the same transaction as its outcome. */
export interface UnitEffects {
  mappings: Mapping[];
  /** Taken away before `mappings` are saved. */
  mappingsRemoved: MappingRemoval[];
  /** Writes whose position no mapping keeps. */
  recordWrites: RecordWriteNote[];
  claimsDone: (ClaimKey & { crmId: string })[];
  /** Pending ones of the unit; with `crmId` done ones whose record is gone. */
  claimsReleased: (ClaimKey & { crmId?: string })[];
  conflicts: ConflictRecord[];
}

/** A unit of work, as the writer needs to know it. */
export interface UnitContext {
  connectorId: string;
  /** `unitKeyText` of the unit: who claims. */
  unitKey: string;
  binding: PortalBinding;
  position: AcceptPosition;
  /** True for a replayed, resent or stepped-aside event: it never overwrites something newer (ADR 0036). */
  guarded: boolean;
  /** Somebody has seen that the write is refused by the entity's identity guard, and wants it all the same. */
  forced: boolean;
  /** How its flow meets echoes (docs/reference/echoes.md); absent: it does not look at them. */
  echoes?: {
    /** Writes that the connector's own sends come back as are left out. */
    check: boolean;
    /** What it writes is kept, to be known again in the journal. */
    suppress: boolean;
    /** The connector sends records out with `freshness_check`: what lands replaces what was sent. */
    sends?: boolean;
    eventId: string;
  };
  /** An earlier attempt failed: a batch that fails again is taken apart, so that one record does not park its batch-mates. */
  retried: boolean;
  traceparent: string | null;
  /** The most inputs of one call that what it asks for may be part of. Default: as many as a call takes. */
  chunkSize?: number;
  effects: UnitEffects;
  /** A write of the unit, sent so long ago, got no answer: its lane must not go on before it can no longer land. */
  unanswered(sentMsAgo: number): void;
  /** False once the partition is lost: no outside call may start for the unit any more. */
  owned(): boolean;
  /**
   * Since when its partition is owned, by the writer's clock: what was remembered of mappings before is asked for anew, for
   * another owner may have changed it. Absent: it is in no partition.
   */
  ownedSince?: number;
}

export const noEffects = (): UnitEffects => ({
  mappings: [],
  mappingsRemoved: [],
  recordWrites: [],
  claimsDone: [],
  claimsReleased: [],
  conflicts: [],
});
