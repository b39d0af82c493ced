import type { Peculiarity } from './peculiar-worlds';

/**
 * Many events fail because the CRM refuses their values for a while, and users ask for replay jobs meanwhile and afterwards. The
 * store is never restored, because jobs and tasks are restored with everything else, which their twins do not do.
 */
export const replayedWorld: Peculiarity = ({ chances }) => ({
  chances: { ...chances, restore: 0, delete: 0, replay: 0, version: 0.06 },
  replayWork: { window: 3, begin: 0.12, cancel: 0.1, disturb: 0.25 },
  acts: 28,
  paceMs: 1_200,
  connectors: 2,
  customers: 3,
  orders: 3,
  tickets: 3,
  burst: 9,
  events: 34,
  crmFaults: 0.1,
  refusals: 0.6,
});

/** Seeds with a world of replay jobs, by their last two digits: the others stay what they are. */
export const replayedSeeds: ReadonlySet<number> = new Set([7, 26, 38, 55, 71]);
