import type { Peculiarity } from './peculiar-worlds';

/**
 * Connectors whose first sync is capped: many records, few writes before the cap, an owner who releases it some time. The store
 * is never restored, for caps are restored with everything else, which the twin does not.
 */
export const cappedWorld: Peculiarity = ({ chances }) => ({
  chances: { ...chances, pause: 0, restore: 0, delete: 0 },
  cap: { limit: 6, release: 0.12, settlingMs: 4_000 },
  acts: 26,
  paceMs: 700,
  connectors: 2,
  customers: 6,
  orders: 6,
  tickets: 6,
  burst: 9,
  events: 40,
  crmFaults: 0.05,
});

/** Seeds with a capped world, by their last two digits: the others stay what they are. */
export const cappedSeeds: ReadonlySet<number> = new Set([4, 22, 41, 63, 87]);
