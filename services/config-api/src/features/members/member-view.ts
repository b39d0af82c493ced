import type { MemberRow } from '@sluice/ports';
import { iso } from '../../http/iso';

/** A member as the others see him. */
export const memberView = ({ userId, name, email, role, mfaEnabled, joinedAt }: MemberRow) =>
  ({ user_id: userId, name, email, role, mfa_enabled: mfaEnabled, joined_at: iso(joinedAt) });
