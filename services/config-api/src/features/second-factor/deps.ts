import type { ConfigStore, Keyring } from '@sluice/ports';
import type { AccountDeps } from '../accounts/deps';
import type { SessionDeps } from '../accounts/open-session';

/** What the routes of second factors work with. */
export interface SecondFactorDeps
  extends SessionDeps, Pick<AccountDeps, 'authenticateAccount' | 'codes' | 'passwords' | 'times'> {
  store: Pick<ConfigStore, 'accounts' | 'secondFactors'>;
  /** Secrets are encrypted for `mfa:<user id>`. */
  keyring: Keyring;
  /** Milliseconds since the epoch: which codes are those of now. */
  now(): number;
}
