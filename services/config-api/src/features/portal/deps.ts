import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { OpenPortal } from '../../provisioning/open-portal';
import type { ConfigWork } from '../../work/create-config-work';
import type { PortalReads } from './portal-reads';

/** What the routes about a connector's portal work with. */
export interface PortalDeps {
  store: Pick<ConfigStore, 'connectors' | 'credentials' | 'drafts'>;
  configWork: Pick<ConfigWork, 'run'>;
  openPortal: OpenPortal;
  portalReads: PortalReads;
  authenticate: Authenticate<Principal>;
}
