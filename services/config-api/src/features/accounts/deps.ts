import type { ConfigStore } from '@sluice/ports';
import type { LimitStore } from '@sluice/service-parts';
import type { Authenticators } from '../../auth/create-authenticate';
import type { SessionTokens } from '../../auth/session-token';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { Mailer } from '../../mails/create-mailer';
import type { MailBudget } from '../../mails/mail-budget';
import type { ConfigApiSettings } from '../../settings';
import type { CodeHashes } from '../../auth/code-hashes';
import type { CsrfTokens } from './tokens/csrf-tokens';
import type { Passwords } from './passwords/passwords';
import type { RefreshTokens } from './tokens/refresh-tokens';

/** How long what accounts ask for lasts, in milliseconds. */
export type AccountTimes = Pick<
  ConfigApiSettings,
  | 'sessionLifetimeMs' | 'tokenTtlMs' | 'invitationTtlMs' | 'trialLengthMs' | 'closeRecoveryMs' | 'codeLockMs' | 'mfaTokenTtlMs'
  | 'installTtlMs'
>;

/** What the routes of accounts and sessions work with. */
export interface AccountDeps extends WithPublicUrl, Pick<Authenticators, 'authenticateAccount' | 'authenticateCaller'> {
  store: Pick<ConfigStore, 'accounts' | 'audit' | 'mailTokens' | 'members' | 'secondFactors'>;
  passwords: Passwords;
  tokens: SessionTokens;
  refreshTokens: RefreshTokens;
  csrfTokens: CsrfTokens;
  codes: CodeHashes;
  mailer: Mailer;
  mailBudget: MailBudget;
  times: AccountTimes;
  /** The counters of sign-ups. */
  limits: LimitStore;
}
