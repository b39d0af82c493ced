import type { CallFault } from './crm-log';
import type { RunnerOptions } from '../runner/runner-deps';
import type { RunnerTimes } from '../timing';
import { cappedSeeds, cappedWorld } from './capped-worlds';
import { crowded, largeWorlds } from './crowded-worlds';
import { peculiar } from './peculiar-worlds';
import type { Prng } from './prng';
import { salesEventTypes, ticketEventTypes, type SimEventType } from './sim-payload';

/**
 * The chance of each kind of fault, per act of a storm. `deaf`: a process loses the broker and keeps the database; `outage`: all
 * processes lose the database; `restore`: a copy of the database is taken, or it is put back to the copy; `reorder`: a
 * connector's ordering is changed; `vanish`: another client deletes a record in the CRM; `portal`: a portal of the CRM fails
 * every call; `clock`: somebody sets the wall clock of a process; `blackout`: all processes die at once.
 */
const usually = {
  kill: 0.03,
  cut: 0.02,
  deaf: 0.02,
  stop: 0.02,
  freeze: 0.02,
  outage: 0.02,
  restore: 0.015,
  pause: 0.04,
  version: 0.03,
  reorder: 0.03,
  replay: 0.06,
  rebind: 0.015,
  delete: 0.008,
  vanish: 0.04,
  portal: 0.02,
  clock: 0.03,
  blackout: 0.008,
};

export type Trouble = keyof typeof usually;

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
  /** Chance that a call of the CRM fails, and the kinds of faults. */
  crmFaults: number;
  crmFates: readonly CallFault[];
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
  | 'maxHeldScopes' | 'maxHeldScopesPerConnector'
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

/** So that a few events reach the bounds. */
const smallBounds = { maxConvoy: 6, maxInFlight: 30, maxDrains: 6, maxLaneDrains: 6, maxHeldScopes: 5,
  maxHeldScopesPerConnector: 2 };

/** Events in memory above which fetching pauses. */
const intakes = [
  { maxBuffered: 20, maxPerConnector: 8, eventMemoryBytes: 400_000 },
  { maxBuffered: 13, maxPerConnector: 4, eventMemoryBytes: 400_000 },
  { maxBuffered: 20, maxPerConnector: 8, eventMemoryBytes: 120_000 },
] as const;

/** Much of all. */
const usualFates: readonly CallFault[] = [
  'before',
  'before',
  'before',
  'after',
  'after',
  'late',
  'late',
  'limited',
  'unauthorized',
  'forbidden',
];
/** Mostly faults that hold a flow instead of a lane; only calls without an answer. */
const narrowFates: readonly (readonly CallFault[])[] = [
  ['forbidden', 'forbidden', 'forbidden', 'unauthorized', 'before'],
  ['after', 'late'],
];

/** How many worlds are about tickets: created, deleted and upserted in lists. */
const ticketWorlds = 0.25;

/** How many worlds are peculiar. */
const peculiarWorlds = 0.42;

export const troubles = Object.keys(usually) as Trouble[];

/** @param seed a few seeds have the numbers of events that have been a problem, with the usual bounds of a runner */
export function drawScenario(prng: Prng, seed: number): Scenario {
  const usual = drawUsual(prng);
  const large = largeWorlds.get(seed % 1_000);
  if (large) return { ...usual, ...large(usual) };
  if (cappedSeeds.has(seed % 100)) return { ...usual, ...cappedWorld(usual) };
  return prng.chance(peculiarWorlds) ? { ...usual, ...prng.pick([...peculiar, ...crowded])(usual) } : usual;
}

function drawUsual(prng: Prng): Scenario {
  const chances = { ...usually };
  for (const trouble of troubles) chances[trouble] *= prng.pick([0, 1, 1, 3]);
  const types = prng.chance(ticketWorlds) ? ticketEventTypes : salesEventTypes;
  return {
    chances,
    acts: 9 + prng.int(16),
    paceMs: prng.pick([150, 400, 700, 1_200]),
    connectors: 1 + prng.int(3),
    customers: 1 + prng.int(5),
    orders: 1 + prng.int(5),
    tickets: 1 + prng.int(4),
    eventTypes: prng.chance(0.3) ? [prng.pick(types), prng.pick(types)] : types,
    longestList: 5,
    burst: prng.pick([2, 5, 7, 14]),
    events: 8 + prng.int(16),
    starts: 0.08,
    ordering: 'record',
    outageMs: { least: 1_000, more: 20_000 },
    slowRunners: 0,
    times: {},
    crowd: null,
    cap: null,
    crmFaults: prng.pick([0.05, 0.2, 0.4]),
    crmFates: prng.pick([usualFates, usualFates, ...narrowFates]),
    storeMs: prng.pick([6, 6, 80]),
    storeLosses: 0.01,
    heldPage: prng.pick([2, 5, 500]),
    bounds: { ...smallBounds, ...prng.pick(intakes) },
  };
}
