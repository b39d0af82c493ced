import type { HttpRoute } from '@sluice/service-kit';
import type { AccountDeps } from './deps';
import { getMe } from './get-me';
import { patchMe } from './patch-me';
import { postAuthLogin } from './post-auth-login';
import { postAuthLogout } from './post-auth-logout';
import { postAuthRefresh } from './post-auth-refresh';
import { postAuthResendVerification } from './post-auth-resend-verification';
import { postAuthSignup } from './post-auth-signup';
import { postAuthVerifyEmail } from './post-auth-verify-email';
import { putActiveOrganization } from './put-active-organization';

/** The routes of accounts and sessions. */
export const accountRoutes = (deps: AccountDeps): HttpRoute[] => [
  getMe(deps),
  patchMe(deps),
  postAuthLogin(deps),
  postAuthLogout(deps),
  postAuthRefresh(deps),
  postAuthResendVerification(deps),
  postAuthSignup(deps),
  postAuthVerifyEmail(deps),
  putActiveOrganization(deps),
];
