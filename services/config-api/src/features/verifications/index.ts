import type { HttpRoute } from '@sluice/service-kit';
import type { VerificationDeps } from './deps';
import { getVerification } from './get-verification';
import { getVerificationRows } from './get-verification-rows';
import { getVerifications } from './get-verifications';
import { postVerificationCancel } from './post-verification-cancel';
import { postVerificationRepair } from './post-verification-repair';
import { postVerifications } from './post-verifications';

/** The routes of verifications. */
export const verificationRoutes = (deps: VerificationDeps): HttpRoute[] => [
  getVerification(deps),
  getVerificationRows(deps),
  getVerifications(deps),
  postVerificationCancel(deps),
  postVerificationRepair(deps),
  postVerifications(deps),
];
