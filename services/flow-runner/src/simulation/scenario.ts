import type { CallFault } from './crm-log';
import type { Prng } from './prng';

/** What is sent. */
const simEventTypes = ['customer_synced', 'order.placed', 'shipping.planned'] as const;

/**
 * How often each kind of trouble comes, per act of a storm. `deaf`: a process loses the broker and keeps the database; `outage`:
 * all processes lose the database; `restore`: a copy of the database is taken, or it is put back to the copy; `reorder`: a
 * connector's ordering is changed; `vanish`: somebody deletes a record in the CRM; `portal`: a portal of the CRM fails every
 * call.
 */
const usually = {
  kill: 0.03, cut: 0.02, deaf: 0.02, stop: 0.02, freeze: 0.02, outage: 0.02, restore: 0.015,
  pause: 0.04, version: 0.03, reorder: 0.03, replay: 0.06, rebind: 0.015, delete: 0.008, vanish: 0.04, portal: 0.02,
};

export type Trouble = keyof typeof usually;

/**
 * What kind of world a seed is. Small worlds in which one thing goes on all the time see more than large ones that have a bit of
 * all.
 */
export interface Scenario {
  /** Acts of the storm, and the longest time between two of them. Milliseconds. */
  acts: number;
  paceMs: number;
  /** How many of the connectors send. */
  connectors: number;
  /** How many customers and orders they tell of. */
  customers: number;
  orders: number;
  eventTypes: readonly (typeof simEventTypes)[number][];
  /** The most events that are sent at once, and after how many nothing new is sent. */
  burst: number;
  events: number;
  /** Chance of each kind of trouble per act. */
  chances: Readonly<Record<Trouble, number>>;
  /** Chance that a call of the CRM goes wrong, and how it then does. */
  crmFaults: number;
  crmFates: readonly CallFault[];
  /** The longest that a call of a store takes on its way, there or back. Milliseconds. */
  storeMs: number;
  /** Held events that are read at a time. */
  heldPage: number;
  /** Events in memory above which fetching pauses: tight bounds leave part of the log unread. */
  memory: { maxBuffered: number; maxPerConnector: number; eventMemoryBytes: number };
}

/** Much of all. */
const usualFates: readonly CallFault[] = [
  'before', 'before', 'before', 'after', 'after', 'late', 'late', 'limited', 'unauthorized', 'forbidden',
];
/** Mostly what keeps a flow waiting instead of a lane; only what nobody gets an answer of. */
const narrowFates: readonly (readonly CallFault[])[] = [
  ['forbidden', 'forbidden', 'forbidden', 'unauthorized', 'before'],
  ['after', 'late'],
];

export const troubles = Object.keys(usually) as Trouble[];

export function drawScenario(prng: Prng): Scenario {
  const chances = { ...usually };
  for (const trouble of troubles) chances[trouble] *= prng.pick([0, 1, 1, 3]);
  return {
    chances,
    acts: 12 + prng.int(28),
    paceMs: prng.pick([150, 400, 700, 1_200]),
    connectors: 1 + prng.int(3),
    customers: 1 + prng.int(5),
    orders: 1 + prng.int(5),
    eventTypes: prng.chance(0.3) ? [prng.pick(simEventTypes), prng.pick(simEventTypes)] : simEventTypes,
    burst: prng.pick([2, 7, 7, 20]),
    events: 20 + prng.int(30),
    crmFaults: prng.pick([0.05, 0.2, 0.4]),
    crmFates: prng.pick([usualFates, usualFates, ...narrowFates]),
    storeMs: prng.pick([6, 6, 80]),
    heldPage: prng.pick([2, 5, 500]),
    memory: prng.pick([
      { maxBuffered: 20, maxPerConnector: 8, eventMemoryBytes: 400_000 },
      { maxBuffered: 13, maxPerConnector: 4, eventMemoryBytes: 400_000 },
      { maxBuffered: 20, maxPerConnector: 8, eventMemoryBytes: 120_000 },
    ]),
  };
}
