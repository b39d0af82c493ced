import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { OpenPortal } from '../../provisioning/open-portal';

/** What the routes of identities work with. */
export interface IdentityDeps {
  store: Pick<ConfigStore, 'connectors' | 'drafts' | 'mappings'>;
  openPortal: OpenPortal;
  authenticate: Authenticate<Principal>;
}
