import type { ConfigStore, CrmClient, Keyring } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ReprovisionDeps } from '../../provisioning/reprovision';
import type { WithPublicUrl } from '../../http/with-public-url';

/** What the routes of credentials work with. */
export interface CredentialDeps extends WithPublicUrl, ReprovisionDeps {
  store: Pick<ConfigStore, 'connectors' | 'credentials' | 'drafts'>;
  /** Checks whether the tokens of a CRM credential are valid. */
  crm: CrmClient & ReprovisionDeps['crm'];
  keyring: Keyring;
  /** Whether URLs that are stored may lead to private and loopback addresses. */
  privateTargets: 'allowed' | 'refused';
  authenticate: Authenticate<Principal>;
}
