import type { BlobStore, ConfigStore, EventBus, EventIndex, MonitoringStore, RunStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';

/** What the monitoring routes work with. */
export interface MonitoringDeps {
  store: Pick<ConfigStore, 'connectors'>;
  monitoring: MonitoringStore;
  runStore: Pick<RunStore, 'heldCounts'>;
  eventIndex: Pick<EventIndex, 'view'>;
  bus: Pick<EventBus, 'oldestUnread' | 'healthy'>;
  blobs: Pick<BlobStore, 'get'>;
  /** Ages in milliseconds from which on a backlog counts as congested and as stalled. */
  backlog: { congestedMs: number; stalledMs: number };
  /** Milliseconds from accept to end within which a record counts as delivered in time. */
  slaTargetMs: number;
  /** Base of the links handed out. */
  publicUrl(): string;
  authenticate: Authenticate<Principal>;
}
