import { createMonotonicClock } from '@sluice/service-kit';
import type { LimitStore, ProductContext } from '@sluice/service-parts';
import { createCodeHashes } from './auth/code-hashes';
import { createAuthenticate, createAuthenticateOperator } from './auth/create-authenticate';
import { createGuardAuthenticate } from './auth/guard-authenticate';
import { createOperatorThrottle } from './auth/operator-throttle';
import { createSessionTokens } from './auth/session-token';
import { createStrangerBudget, type StrangerBudget } from './auth/stranger-budget';
import type { ConfigApiParts } from './config-api-parts';
import type { ConfigApiDeps } from './features';
import type { AccountDeps } from './features/accounts/deps';
import { createCsrfTokens } from './features/accounts/tokens/csrf-tokens';
import { createPasswords } from './features/accounts/passwords/passwords';
import { createRefreshTokens } from './features/accounts/tokens/refresh-tokens';
import { createSignInThrottle } from './features/accounts/passwords/sign-in-throttle';
import { createMailer } from './mails/create-mailer';
import { createMailBudget } from './mails/mail-budget';
import { createRateLimit } from './limits/create-rate-limit';
import type { ConfigApiSettings } from './settings';

export interface AccountPartsOptions {
  encryptionKeys: string;
  limits: LimitStore;
  /** Milliseconds since the epoch. */
  now(): number;
  passwordRounds?: number | undefined;
}

type AccountParts = Omit<AccountDeps, 'store' | 'limits'>
  & Pick<ConfigApiDeps, 'authenticate' | 'authenticateOperator' | 'billing' | 'identityProvider' | 'now' | 'sendsMails'>
  & { strangers: StrangerBudget };

/** How callers are known, and what the routes of accounts work with. */
export function accountParts(
  parts: Pick<ConfigApiParts, 'billing' | 'configStore' | 'identityProvider' | 'keyring' | 'mailSender'>,
  { settings, publicUrl: url }: Pick<ProductContext<ConfigApiSettings>, 'settings' | 'publicUrl'>,
  { encryptionKeys, limits, now, passwordRounds }: AccountPartsOptions,
): AccountParts {
  const { billing, configStore: store, identityProvider, keyring, mailSender } = parts;
  const publicUrl = (): string => url;
  const tokens = createSessionTokens(encryptionKeys, settings.sessionTtlMs);
  const csrfTokens = createCsrfTokens(encryptionKeys);
  const counting = { scale: settings.rateLimitScale, monotonicNow: createMonotonicClock() };
  const strangers = createStrangerBudget(counting.scale, counting.monotonicNow);
  const guard = createGuardAuthenticate({ strangers, ...counting });
  const rateLimit = createRateLimit(limits, settings.rateLimitScale);
  const callers = createAuthenticate({ store, tokens, rateLimit, publicUrl });
  return {
    strangers,
    authenticate: guard(callers.authenticate),
    authenticateAccount: guard(callers.authenticateAccount),
    authenticateCaller: guard(callers.authenticateCaller),
    authenticateOperator: createAuthenticateOperator(settings.operatorToken, createOperatorThrottle(limits, now)),
    tokens,
    csrfTokens,
    refreshTokens: createRefreshTokens(encryptionKeys, store.accounts, csrfTokens),
    codes: createCodeHashes(encryptionKeys),
    passwords: createPasswords(createSignInThrottle(limits, now), settings.passwordHashes, passwordRounds),
    mailer: createMailer(keyring),
    sendsMails: mailSender !== null,
    mailBudget: createMailBudget(limits),
    times: settings,
    billing,
    identityProvider,
    now,
    publicUrl,
  };
}
