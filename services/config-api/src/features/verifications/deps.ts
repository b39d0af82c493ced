import type { ConfigReader, ConfigStore, ReplayJobStore, VerificationStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of verifications work with. */
export interface VerificationDeps {
  store: Pick<ConfigStore, 'connectors'>;
  verifications: VerificationStore;
  replayJobs: Pick<ReplayJobStore, 'create'>;
  configReader: Pick<ConfigReader, 'connector' | 'versionConfig'>;
  authenticate: Authenticate<Principal>;
}
