import type { Scenario } from './scenario';
import { dependentEventTypes } from './sim-event-types';

/** A world that differs from the usual one in some settings. */
export type Peculiarity = (usual: Scenario) => Partial<Scenario>;

/** A portal that fails for a long time, with so many records under way that ten of its calls fail in a row. */
const closedPortal: Peculiarity = ({ chances }) => ({
  chances: {
    ...chances, portal: 0.6, pause: 0, vanish: 0, rebind: 0, outage: 0, freeze: 0, cut: 0, restore: 0, kill: 0.01, stop: 0.01,
  },
  outageMs: { least: 15_000, more: 25_000 },
  acts: 30,
  paceMs: 1_200,
  connectors: 1,
  customers: 15,
  orders: 15,
  tickets: 8,
  burst: 20,
  events: 60,
  crmFaults: 0.05,
  starts: 0.03,
});

/** Flows that wait for a right (403) in the same lanes as events that wait for a retry, while versions change. */
const missingRights: Peculiarity = ({ chances }) => ({
  chances: { ...chances, version: 0.12, reorder: 0, restore: 0, outage: 0, kill: 0, cut: 0 },
  acts: 30,
  paceMs: 400,
  ordering: 'connector',
  connectors: 1,
  customers: 1,
  orders: 2,
  tickets: 1,
  burst: 7,
  events: 30,
  crmFaults: 0.6,
  crmFates: ['forbidden', 'unauthorized', 'before', 'before'],
  heldPage: 2,
});

/** Runners that start and stop all the time. */
const comeAndGo: Peculiarity = ({ chances }) => ({
  chances: { ...chances, stop: 0.15, deaf: 0.08, kill: 0.05 },
  starts: 0.6,
  paceMs: 400,
  burst: 12,
  events: 30,
  connectors: 3,
});

/** Events that wait in memory behind others of their record while versions change. */
const changingVersions: Peculiarity = ({ chances }) => ({
  chances: { ...chances, version: 0.3, pause: 0, outage: 0, restore: 0, reorder: 0, kill: 0, cut: 0, freeze: 0 },
  eventTypes: ['customer_synced', 'shipping.planned'],
  connectors: 1,
  customers: 1,
  orders: 1,
  paceMs: 700,
  burst: 10,
  events: 20,
  crmFaults: 0.05,
  slowRunners: 0.5,
});

/** Partitions that move away from runners whose work takes longer than the time for giving them back. */
const outlastedLeases: Peculiarity = ({ chances }) => ({
  chances: { ...chances, stop: 0.08, cut: 0.08, freeze: 0.05, kill: 0, outage: 0, restore: 0, rebind: 0, vanish: 0, delete: 0 },
  times: { leaseMs: 4_500, renewEveryMs: 500, startWithinMs: 1_500, leaseGraceMs: 100, giveBackMs: 3_500 },
  eventTypes: ['tickets.listed', 'tickets.listed', 'ticket.opened'],
  acts: 30,
  connectors: 2,
  tickets: 1,
  longestList: 8,
  starts: 0.3,
  slowRunners: 0.5,
  paceMs: 700,
  burst: 3,
  events: 20,
  crmFaults: 0.05,
});

/** A database that answers late: its answers are out of date when they arrive, and the held events wait only shortly. */
const lateAnswers: Peculiarity = ({ chances }) => ({
  chances: { ...chances, outage: 0, restore: 0, pause: 0, kill: 0.01 },
  connectors: 1,
  customers: 2,
  orders: 2,
  tickets: 2,
  storeMs: 1_400,
  paceMs: 400,
  burst: 3,
  events: 24,
  crmFaults: 0.4,
  crmFates: ['limited', 'limited', 'before', 'before', 'forbidden'],
});

/** A connector that is paused and resumed while slow calls fail: an event fails live and joins what waits behind it. */
const pausedAmid: Peculiarity = ({ chances }) => ({
  chances: { ...chances, pause: 0.5, kill: 0, cut: 0, freeze: 0, outage: 0, restore: 0 },
  acts: 30,
  paceMs: 700,
  connectors: 1,
  customers: 1,
  orders: 1,
  eventTypes: ['customer_synced', 'order.placed'],
  burst: 4,
  events: 24,
  crmFaults: 0.6,
  crmFates: ['before', 'limited', 'before'],
  slowRunners: 1,
  storeMs: 6,
  heldPage: 500,
});

/** Connectors that get another portal and another version between two attempts of an event that has written already. */
const changedBetween: Peculiarity = ({ chances }) => ({
  chances: {
    ...chances, rebind: 0.15, version: 0.15, pause: 0, outage: 0, restore: 0, reorder: 0, kill: 0.01, cut: 0, freeze: 0,
  },
  eventTypes: ['tickets.marked', 'tickets.marked', 'tickets.listed', 'shipping.planned', 'customer.told'],
  acts: 30,
  connectors: 1,
  paceMs: 700,
  burst: 4,
  events: 24,
  crmFaults: 0.4,
  crmFates: ['before', 'before', 'after', 'limited'],
});

/** Flows whose later steps depend on what the earlier ones found and did, in attempts that fail often and in all ways. */
const dependentSteps: Peculiarity = ({ chances }) => ({
  chances: { ...chances, rebind: 0, pause: 0, restore: 0, reorder: 0, delete: 0, kill: 0.01, cut: 0, freeze: 0 },
  eventTypes: dependentEventTypes,
  connectors: 1,
  customers: 3,
  orders: 3,
  paceMs: 700,
  burst: 6,
  events: 30,
  crmFaults: 0.4,
  crmFates: ['before', 'after', 'late', 'limited'],
});

/** Somebody kills all runners at random moments, one after the other or at once, and starts others at once. */
const randomKills: Peculiarity = ({ chances }) => ({
  chances: {
    ...chances, kill: 0.25, blackout: 0.25, cut: 0, deaf: 0, freeze: 0, outage: 0, restore: 0, pause: 0, rebind: 0, delete: 0,
  },
  acts: 30,
  paceMs: 700,
  starts: 0.5,
  burst: 10,
  events: 30,
  crmFaults: 0.05,
});

/** Worlds with one condition that is rare in the others. */
export const peculiar: readonly Peculiarity[] = [
  closedPortal,
  missingRights,
  comeAndGo,
  changingVersions,
  outlastedLeases,
  lateAnswers,
  pausedAmid,
  changedBetween,
  dependentSteps,
  randomKills,
];
