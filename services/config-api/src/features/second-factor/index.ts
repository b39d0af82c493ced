import type { HttpRoute } from '@sluice/service-kit';
import type { SecondFactorDeps } from './deps';
import { postAuthLoginMfa } from './post-auth-login-mfa';
import { postMeMfaConfirm } from './post-me-mfa-confirm';
import { postMeMfaDisable } from './post-me-mfa-disable';
import { postMeMfaEnroll } from './post-me-mfa-enroll';
import { postMeMfaRecoveryCodes } from './post-me-mfa-recovery-codes';

/** The routes of second factors. */
export const secondFactorRoutes = (deps: SecondFactorDeps): HttpRoute[] => [
  postAuthLoginMfa(deps),
  postMeMfaConfirm(deps),
  postMeMfaDisable(deps),
  postMeMfaEnroll(deps),
  postMeMfaRecoveryCodes(deps),
];
