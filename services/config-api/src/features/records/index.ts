import type { HttpRoute } from '@sluice/service-kit';
import type { RecordDeps } from './deps';
import { getHeldEvents } from './get-held-events';
import { getSyncEvent } from './get-sync-event';
import { getSyncEvents } from './get-sync-events';
import { getSyncEventsSummary } from './get-sync-events-summary';
import { postReplay } from './post-replay';

/** The routes of record outcomes and replays. */
export const recordRoutes = (deps: RecordDeps): HttpRoute[] => [
  getHeldEvents(deps),
  getSyncEvent(deps),
  getSyncEvents(deps),
  getSyncEventsSummary(deps),
  postReplay(deps),
];
