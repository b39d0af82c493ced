import type {
  AcceptPosition, ClaimKey, ConflictRecord, Mapping, MappingRemoval, PluginWrite, RecordWriteNote, WorkClass,
} from '@sluice/ports';

/** The connector's portal binding at the time of the attempt. */
export interface PortalBinding {
  credentialId: string;
  portalId: string;
  epoch: number;
  /** How often mappings of the connector were removed by hand: mappings cached before that are not used. Default 0. */
  mappingsRemoved?: number;
}

/** The effects of a unit, to be stored in the same transaction as its outcome. */
export interface UnitEffects extends StoredEffects {
  /** Keys of downloaded contents in the blob store, which are of no use once the unit has ended. */
  downloads: string[];
}

export interface StoredEffects {
  mappings: Mapping[];
  /** Removed before `mappings` are saved. */
  mappingsRemoved: MappingRemoval[];
  /** Writes whose position no mapping keeps. */
  recordWrites: RecordWriteNote[];
  claimsDone: (ClaimKey & { crmId: string })[];
  /** Pending claims of the unit; with `crmId`: done claims whose record was deleted. */
  claimsReleased: (ClaimKey & { crmId?: string })[];
  conflicts: ConflictRecord[];
  /** What plugins write into their stores, in order. */
  pluginWrites: PluginWrite[];
}

/** The facts of a unit that the writer needs. */
export interface UnitContext {
  connectorId: string;
  /** `unitKeyText` of the unit: the owner of its claims. */
  unitKey: string;
  binding: PortalBinding;
  /** The version of the config under which it runs; absent or null: none. */
  configVersion?: number | null;
  position: AcceptPosition;
  /** True for a replayed, resent or stepped-aside event: it never overwrites something newer (ADR 0036). */
  guarded: boolean;
  /** True for a forced replay: the identity guard and the echo check do not stop it. */
  forced: boolean;
  /** How its flow handles echoes (docs/reference/echoes.md); absent: it does not check for echoes. */
  echoes?: {
    /** Skip writes that are echoes of what the connector itself sent. */
    check: boolean;
    /** Remember written values, to recognize them in the journal. */
    suppress: boolean;
    /** The connector sends records out with `freshness_check`: written values replace the remembered sent ones. */
    sends?: boolean;
    eventId: string;
    /** When the event was accepted, milliseconds. */
    acceptedAt?: number;
    /** Links of the event's chain of causes, to be remembered with what it writes; absent: the connector reads no journal. */
    hops?: number;
  };
  /** An earlier attempt failed: a batch that fails again is split, so that one record does not park the others of its batch. */
  retried: boolean;
  traceparent: string | null;
  /** Why it runs; absent: it is live. It may change to a class that goes before, while live work waits for the unit. */
  workClass?(): WorkClass;
  /** Called when a request of a class that goes before waits for one of the unit: the unit has that class from then on. */
  hurry?(workClass: WorkClass): void;
  /** Whether it may run in a convoy: the lane of its connector goes on when all units of it that started have ended. */
  inConvoy?: boolean;
  /** The most inputs of a call that its requests may share. Default: the limit of the call. */
  chunkSize?: number;
  /** Its connector's first sync is capped: its writes are reserved before they are sent. */
  capped?: boolean;
  effects: UnitEffects;
  /** `MappingLookup.removalsSoFar` when its attempt began; absent: not known. */
  removalsSeen?: number;
  /**
   * Called when a write of the unit got no answer: its lane must not continue while the write may still take effect. `sentMsAgo`:
   * how long ago it was sent.
   */
  unanswered(sentMsAgo: number): void;
  /** False once the partition is lost: no outside call may start for the unit any more. */
  owned(): boolean;
  /**
   * Since when its partition is owned, by the writer's clock: mappings cached before are read again, because another owner may
   * have changed them. Absent: it is in no partition.
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
  pluginWrites: [],
  downloads: [],
});

export const classOfUnit = ({ workClass }: Pick<UnitContext, 'workClass'>): WorkClass => workClass?.() ?? 'live';
