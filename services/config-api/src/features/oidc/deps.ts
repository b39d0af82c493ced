import type { ConfigStore, IdentityProvider, Keyring } from '@sluice/ports';
import type { LimitStore } from '@sluice/service-parts';
import type { AccountDeps } from '../accounts/deps';
import type { SessionDeps } from '../accounts/open-session';

/** What the routes of third-party sign-in work with. */
export interface OidcDeps extends SessionDeps, Pick<AccountDeps, 'times'> {
  store: Pick<ConfigStore, 'accounts' | 'identities' | 'secondFactors'>;
  /** null: nobody signs in elsewhere. */
  identityProvider: IdentityProvider | null;
  /** Encrypts what binds a sign-in to a browser. */
  keyring: Keyring;
  /** Counts failures, and notes which sign-ins were finished. */
  limits: LimitStore;
  /** Milliseconds since the epoch. */
  now(): number;
}
