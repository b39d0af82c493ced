import type { ConfigStore, EventIndex } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ConfigWork } from '../../work/create-config-work';
import type { PortalReads } from '../portal/portal-reads';

/** What suggestions are made of. */
export interface SuggestionDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts'>;
  configWork: Pick<ConfigWork, 'run'>;
  eventIndex: Pick<EventIndex, 'recentPayloads'>;
  portalReads: Pick<PortalReads, 'properties'>;
  authenticate: Authenticate<Principal>;
}
