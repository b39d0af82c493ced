/** One write that took effect in the simulated CRM. */
export interface LandedWrite {
  /**
   * When it was sent, when it took effect, and when its sender got the answer; null: it never did. Milliseconds since the epoch.
   */
  sentAt: number;
  at: number;
  heardAt: number | null;
  /** It took effect after its sender had given up. */
  late: boolean;
  /** The process that sent it. */
  by: string;
  /** `<portal> <object type>/<id>`. */
  record: string;
  /** The number of the event that it carries: whole for what was accepted, with a fraction for a replay. */
  n: number;
  /** The index of its entry in the event's list; 0 without a list. */
  item: number;
}

/**
 * The kinds of injected faults. `late`: the call takes effect after its sender gave up. `missing`: an update was answered that
 * its record does not exist. `refused`: the values of an input were refused. `hung`: the call got no answer and took no effect.
 * `died`: the sender died before the answer.
 */
export type FaultKind =
  'before' | 'after' | 'late' | 'limited' | 'unauthorized' | 'forbidden' | 'missing' | 'poison' | 'refused' | 'hung' | 'died';

/** The faults of any call. */
export type CallFault = Extract<FaultKind, 'before' | 'after' | 'late' | 'limited' | 'unauthorized' | 'forbidden'>;

/** The events and records of a call. `shared`: its answer is used by all units. */
export interface Subject {
  /** Numbers of the events whose values it carries. */
  numbers: readonly number[];
  /** `<portal> <object type>/<value>` in lower case: identity values that it names, as ids or by themselves. */
  records: readonly string[];
  shared?: boolean;
}

/** One injected fault: an excuse only for the events of that call. */
export interface CrmFault {
  at: number;
  /** When the sender got the answer; null: it did not. */
  heardAt: number | null;
  kind: FaultKind;
  about: Subject;
}

/** The log of the simulated CRM, for the judge. */
export interface CrmLog {
  writes: LandedWrite[];
  /** Records that events marked by an id that an earlier step had reported. `record`, `n`: as in `LandedWrite`. */
  marks: { record: string; n: number }[];
  faults: CrmFault[];
  /** Records that another client deleted, and when: as in `LandedWrite.record`. */
  deleted: Map<string, number>;
  /** All records that ever existed, by identity value: `<portal> <object type>/<value>` gives `<portal> <object type>/<id>`. */
  idsOf: Map<string, string[]>;
  /** `<record>><record>`, both as in `LandedWrite.record`. */
  associations: Set<string>;
}
