import type { Peculiarity } from './peculiar-worlds';
import type { Crowd, Scenario } from './scenario';

/** Nothing fails, so that each event of others has to be prompt. */
const calm = ({ chances }: Scenario): Partial<Scenario> => ({
  chances: {
    ...chances, kill: 0, cut: 0, deaf: 0, stop: 0, freeze: 0, outage: 0, restore: 0, pause: 0, version: 0, reorder: 0, replay: 0,
    rebind: 0, delete: 0, vanish: 0, portal: 0, blackout: 0,
  },
  starts: 0,
  slowRunners: 0,
  crmFaults: 0,
  storeMs: 6,
  storeLosses: 0,
  ordering: 'record',
  eventTypes: ['customer_synced', 'order.placed'],
  acts: 16,
  paceMs: 700,
  burst: 2,
  events: 12,
});

const promptMs = 15_000;

/**
 * A connector with one record and many events, each of which takes seconds: half as many again as a partition holds in memory.
 */
const serialBacklog = (events: number): Peculiarity => (usual) => ({
  ...calm(usual),
  customers: 1,
  crowd: { events, portal: 'slow', deleted: false, promptMs },
});

/** A connector with more records than a runner has places in flight, whose portal is slow or gives no answer. */
const slowPortal = (events: number, portal: Crowd['portal']): Peculiarity => (usual) => ({
  ...calm(usual),
  customers: events,
  crowd: { events, portal, deleted: false, promptMs },
});

/** Enough memory for all events, and fewer places in flight. */
const roomy = (world: Peculiarity): Peculiarity => (usual) => {
  const bounds = { ...usual.bounds, maxBuffered: 80, maxPerConnector: 80, eventMemoryBytes: 1_000_000, maxInFlight: 10 };
  return { ...world(usual), bounds };
};

/** Worlds in which a connector takes all it can get. */
export const crowded: readonly Peculiarity[] = [
  serialBacklog(40),
  roomy(slowPortal(60, 'slow')),
  roomy(slowPortal(60, 'hangs')),
];

/** With the bounds that a runner has when nothing is set. */
const usualBounds = (world: Peculiarity): Peculiarity => (usual) => {
  const made = world(usual);
  return { ...made, bounds: {}, crowd: { ...made.crowd!, deleted: true } };
};

/** The same worlds with the numbers that once were a problem, by the last three digits of their seeds. */
export const largeWorlds: ReadonlyMap<number, Peculiarity> = new Map([
  [250, usualBounds(serialBacklog(6_000))],
  [500, usualBounds(slowPortal(5_000, 'slow'))],
  [750, usualBounds(slowPortal(5_000, 'hangs'))],
]);
