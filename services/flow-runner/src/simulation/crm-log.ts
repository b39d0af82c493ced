/** One write that landed in the simulated CRM. */
export interface LandedWrite {
  /** When it was sent, when it landed, and when its sender heard of it; null: nobody ever did. Milliseconds since the epoch. */
  sentAt: number;
  at: number;
  heardAt: number | null;
  /** It landed after its sender had given up. */
  late: boolean;
  /** The process that sent it. */
  by: string;
  /** `<portal> <object type>/<id>`. */
  record: string;
  /** The number of the event that it carries: whole for what was accepted, with a fraction for a replay. */
  n: number;
  /** The place of the entry that it carries in its event's list; 0 where there is none. */
  item: number;
}

/**
 * What went wrong with a call on purpose. `late`: it lands after its sender gave up. `missing`: an update was told that its
 * record is gone. `died`: the sender did not live to hear the answer.
 */
export type FaultKind = 'before' | 'after' | 'late' | 'limited' | 'unauthorized' | 'forbidden' | 'missing' | 'poison' | 'died';

/** What may go wrong with any call. */
export type CallFault = Extract<FaultKind, 'before' | 'after' | 'late' | 'limited' | 'unauthorized' | 'forbidden'>;

/** Whom a call is about. `shared`: what it asks for is used by everybody. */
export interface Subject {
  /** Numbers of the events whose values it carries. */
  numbers: readonly number[];
  /** `<portal> <object type>/<value>` in lower case: identity values that it names, as ids or by themselves. */
  records: readonly string[];
  shared?: boolean;
}

/** One injected fault: an excuse for the events it met, and for no other. */
export interface CrmFault {
  at: number;
  /** When the sender heard of it; null: nobody did. */
  heardAt: number | null;
  kind: FaultKind;
  about: Subject;
}

/** What happened in the simulated CRM, for the judge. */
export interface CrmLog {
  writes: LandedWrite[];
  faults: CrmFault[];
  /** Records that somebody deleted, and when: as in `LandedWrite.record`. */
  deleted: Map<string, number>;
  /** All records that ever were by identity value: `<portal> <object type>/<value>` gives `<portal> <object type>/<id>`. */
  idsOf: Map<string, string[]>;
  /** `<record>><record>`, both as in `LandedWrite.record`. */
  associations: Set<string>;
}
