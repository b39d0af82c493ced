import type { ConfigStore } from '@sluice/ports';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { AccountDeps } from '../accounts/deps';

/** What the routes of passwords, addresses and sessions work with. */
export interface AccountSecurityDeps
  extends WithPublicUrl,
  Pick<AccountDeps, 'authenticateAccount' | 'codes' | 'mailBudget' | 'mailer' | 'passwords' | 'times'> {
  store: Pick<ConfigStore, 'accounts' | 'mailTokens'>;
}
