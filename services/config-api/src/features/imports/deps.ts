import type { EventIds, Intake, PartitionCounts, Quota } from '@sluice/event-intake';
import type { BlobStore, ConfigReader, ConfigStore, ImportStore, Logger } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';

/** What the routes and the workers of bulk imports work with. */
export interface ImportDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors'>;
  imports: ImportStore;
  configReader: Pick<ConfigReader, 'connector' | 'flowIndex' | 'versionConfig'>;
  intake: Pick<Intake, 'publish'>;
  partitions: PartitionCounts;
  quota: Quota;
  /** The ids of the events that rows become. */
  eventIds: Pick<EventIds, 'create'>;
  /** Where files lie until their rows are stored. */
  blobs: Pick<BlobStore, 'putStream' | 'getStream' | 'delete' | 'deleteOlderThan'>;
  /** Milliseconds since the epoch: times of acceptance. */
  now(): number;
  authenticate: Authenticate<Principal>;
  logger: Logger;
}
