import type { AccountRow } from '@sluice/ports';
import { iso } from '../../http/iso';

/** An account as an operator sees it. */
export const userView = ({ id, email, name, verified, mfaEnabled, deactivated, createdAt }: AccountRow) =>
  ({ id, email, name, email_verified: verified, mfa_enabled: mfaEnabled, deactivated, created_at: iso(createdAt) });
