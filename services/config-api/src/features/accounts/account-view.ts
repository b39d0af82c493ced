import type { AccountRow } from '@sluice/ports';

/** An account as its owner sees it. */
export const accountView = ({ id, email, name, verified, mfaEnabled }: AccountRow) =>
  ({ id, email, name, email_verified: verified, mfa_enabled: mfaEnabled });
