import type { Intake, PartitionCounts } from '@sluice/event-intake';
import type { BlobStore, ConfigReader, ConfigStore, MonitoringStore, RecordStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ConfigWork } from '../../work/create-config-work';

/** What the routes of record outcomes and replays work with. */
export interface RecordDeps {
  store: Pick<ConfigStore, 'connectors'>;
  records: RecordStore;
  monitoring: Pick<MonitoringStore, 'recordSeries' | 'skipsByFlow'>;
  configReader: Pick<ConfigReader, 'connector'>;
  /** Publishes replays. */
  intake: Pick<Intake, 'admit' | 'publish'>;
  partitions: PartitionCounts;
  blobs: Pick<BlobStore, 'get' | 'renew'>;
  /** Counts what reading a record with a large payload costs. */
  configWork: Pick<ConfigWork, 'assertBudget' | 'spend'>;
  /** A replay without any progress for this time counts as lost, unless it is held. */
  replayLostAfterMs: number;
  authenticate: Authenticate<Principal>;
}
