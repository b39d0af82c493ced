import type { HttpRoute } from '@sluice/service-kit';
import type { ReplayDeps } from './deps';
import { getReplay } from './get-replay';
import { getReplays } from './get-replays';
import { postReplayCancel } from './post-replay-cancel';
import { postReplays } from './post-replays';

/** The routes of replay jobs. */
export const replayRoutes = (deps: ReplayDeps): HttpRoute[] => [
  getReplay(deps),
  getReplays(deps),
  postReplayCancel(deps),
  postReplays(deps),
];
