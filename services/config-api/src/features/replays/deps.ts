import type { ConfigStore, ReplayJobStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of replay jobs work with. */
export interface ReplayDeps {
  store: Pick<ConfigStore, 'connectors'>;
  replayJobs: ReplayJobStore;
  authenticate: Authenticate<Principal>;
}
