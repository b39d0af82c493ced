import type { ConfigStore } from '@sluice/ports';
import type { AccountTimes } from '../accounts/deps';
import type { CredentialDeps } from '../credentials/deps';

/** What the routes of installs from the CRM's marketplace work with. */
export interface CrmInstallDeps extends CredentialDeps {
  store: Pick<ConfigStore, 'connectors' | 'credentials' | 'drafts' | 'installs'>;
  times: AccountTimes;
}
