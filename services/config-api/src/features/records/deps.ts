import type { BlobStore, ConfigReader, ConfigStore, EventBus, RecordStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the routes of record outcomes and replays work with. */
export interface RecordDeps {
  store: Pick<ConfigStore, 'connectors'>;
  records: RecordStore;
  configReader: Pick<ConfigReader, 'connector'>;
  bus: Pick<EventBus, 'publish' | 'partitions'>;
  blobs: Pick<BlobStore, 'get'>;
  /** A replay without any progress for this time counts as lost, unless it is held. */
  replayLostAfterMs: number;
  authenticate: Authenticate<Principal>;
}
