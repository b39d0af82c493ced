import type { HttpRoute } from '@sluice/service-kit';
import { deleteMe } from './delete-me';
import { deleteMeSession } from './delete-me-session';
import type { AccountSecurityDeps } from './deps';
import { getMeSessions } from './get-me-sessions';
import { postAuthPasswordReset } from './post-auth-password-reset';
import { postAuthPasswordResetConfirm } from './post-auth-password-reset-confirm';
import { postMeEmail } from './post-me-email';
import { postMeEmailConfirm } from './post-me-email-confirm';
import { postMePassword } from './post-me-password';

/** The routes of passwords, addresses and sessions. */
export const accountSecurityRoutes = (deps: AccountSecurityDeps): HttpRoute[] => [
  deleteMe(deps),
  deleteMeSession(deps),
  getMeSessions(deps),
  postAuthPasswordReset(deps),
  postAuthPasswordResetConfirm(deps),
  postMeEmail(deps),
  postMeEmailConfirm(deps),
  postMePassword(deps),
];
