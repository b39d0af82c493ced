import type { Intake, PartitionCounts } from '@sluice/event-intake';
import type { BlobStore, ConfigReader, ConfigStore, ReplayJobStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes and the worker of replay jobs work with. */
export interface ReplayDeps {
  store: Pick<ConfigStore, 'connectors'>;
  replayJobs: ReplayJobStore;
  configReader: Pick<ConfigReader, 'connector'>;
  intake: Pick<Intake, 'admit' | 'publish'>;
  partitions: PartitionCounts;
  blobs: Pick<BlobStore, 'renew'>;
  /** A replay without progress for this time counts as lost, unless it is held. */
  replayLostAfterMs: number;
  authenticate: Authenticate<Principal>;
}
