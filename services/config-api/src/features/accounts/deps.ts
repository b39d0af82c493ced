import type { ConfigStore } from '@sluice/ports';
import type { Authenticate } from '@sluice/service-kit';
import type { LimitStore } from '@sluice/service-parts';
import type { Principal } from '../../auth/principal';
import type { SessionTokens } from '../../auth/session-token';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { Passwords } from './passwords';
import type { RefreshTokens } from './refresh-tokens';

/** What the routes of accounts and sessions work with. */
export interface AccountDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'accounts' | 'audit'>;
  passwords: Passwords;
  tokens: SessionTokens;
  refreshTokens: RefreshTokens;
  /** The counters of sign-ups. */
  limits: LimitStore;
  authenticate: Authenticate<Principal>;
}
