import type { AccountRow, UserRow } from '@sluice/ports';
import type { User } from '../../generated/client';
import type { Reader } from '../../config-client/config-client';
import { organizationIdsOf } from './memberships';

export const accountRow = (user: User): AccountRow => ({
  id: user.id,
  email: user.email,
  name: user.name,
  verified: user.verified_at !== null,
  mfaEnabled: user.mfa_enabled_at !== null,
  deactivated: user.deactivated_at !== null,
  createdAt: user.created_at,
});

/** An account with what a sign-in needs. */
export const userRow = async (reader: Reader, user: User | null): Promise<UserRow | null> =>
  user && { ...accountRow(user), passwordHash: user.password_hash, organizationIds: await organizationIdsOf(reader, user.id) };
