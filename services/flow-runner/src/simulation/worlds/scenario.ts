import type { CallFault } from '../crm-log';
import type { RunnerOptions } from '../../runner/runner-deps';
import type { RunnerTimes } from '../../timing';
import type { SimEventType } from './sim-event-types';
import type { Trouble } from './trouble';

/**
 * What kind of world a seed is. Small worlds with one condition all the time find more than large ones with a bit of everything.
 */
export interface Scenario {
  /** Acts of the storm, and the longest time between two of them. Milliseconds. */
  acts: number;
  paceMs: number;
  /** How many of the connectors send. */
  connectors: number;
  /** How many customers, orders and tickets they tell of. */
  customers: number;
  orders: number;
  tickets: number;
  eventTypes: readonly SimEventType[];
  /** The most entries of a list of tickets. */
  longestList: number;
  /** The most events that are sent at once, and after how many nothing new is sent. */
  burst: number;
  events: number;
  /** Chance of each kind of fault per act. */
  chances: Readonly<Record<Trouble, number>>;
  /** Chance per act that one more runner starts, where there are not enough. */
  starts: number;
  /** The order that connectors keep at first: of each record, or of all that they send. */
  ordering: 'record' | 'connector';
  /** How long a portal fails at least, and how much longer at most. Milliseconds. */
  outageMs: { least: number; more: number };
  /** A connector that takes all it can get; null: there is none. */
  crowd: Crowd | null;
  /** The caps of first syncs; null: no connector has one. */
  cap: SyncCap | null;
  /** The replay jobs that users ask for; null: there are none. */
  replayWork: ReplayWork | null;
  /** Chance that a call of the CRM fails, and the kinds of faults. */
  crmFaults: number;
  crmFates: readonly CallFault[];
  /** Chance that the CRM refuses the values of an input, until everything is calm. */
  refusals: number;
  /** Chance that the calls of a runner to the CRM take some seconds each. */
  slowRunners: number;
  /** Times of the runners that are not the usual ones. */
  times: Partial<RunnerTimes>;
  /** The longest that a call of a store takes on its way, there or back. Milliseconds. */
  storeMs: number;
  /** Chance that a call of the database, or its answer, is lost. */
  storeLosses: number;
  /** Held events that are read at a time. */
  heldPage: number;
  /** Bounds of the runners that are not the usual ones: tight ones leave part of the log unread. */
  bounds: Partial<RunnerBounds>;
}

type RunnerBounds = Pick<
  RunnerOptions,
  | 'maxBuffered' | 'maxPerConnector' | 'eventMemoryBytes' | 'maxInFlight' | 'maxConvoy' | 'maxDrains' | 'maxLaneDrains'
  | 'maxHeldScopes' | 'maxHeldScopesPerConnector' | 'expectsNewRecords'
>;

/** One connector sends a crowd of events at once, and others in its partition and in another portal must not suffer from it. */
export interface Crowd {
  events: number;
  /** What its portal does during the storm: every call takes long, or gets no answer. */
  portal: 'well' | 'slow' | 'hangs';
  /** Whether the connector is deleted after the storm, because all of its events would take a seed too long. */
  deleted: boolean;
  /** How soon an event of another connector has its outcome. Milliseconds. */
  promptMs: number;
}

/** `limit`: records; `release`: the chance per act that an owner releases a cap that has tripped. */
export interface SyncCap {
  limit: number;
  release: number;
  settlingMs: number;
}

/** `window`: records of a job under way at a time. The others are chances per act. */
export interface ReplayWork {
  window: number;
  begin: number;
  cancel: number;
  /** Chance that one of the processes that run the jobs dies, freezes, or loses its connections. */
  disturb: number;
}
