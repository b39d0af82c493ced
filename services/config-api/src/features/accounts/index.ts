import type { HttpRoute } from '@sluice/service-kit';
import type { AccountDeps } from './deps';
import { getMe } from './get-me';
import { postAuthLogin } from './post-auth-login';
import { postAuthLogout } from './post-auth-logout';
import { postAuthRefresh } from './post-auth-refresh';
import { postAuthSignup } from './post-auth-signup';

/** The routes of accounts and sessions. */
export const accountRoutes = (deps: AccountDeps): HttpRoute[] => [
  getMe(deps),
  postAuthLogin(deps),
  postAuthLogout(deps),
  postAuthRefresh(deps),
  postAuthSignup(deps),
];
