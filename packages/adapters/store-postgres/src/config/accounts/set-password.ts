import type { Transaction } from '../../config-client/config-client';
import { isUuid } from '../../config-client/config-client';
import { endSessionsOf } from './sessions';

/**
 * Sets a password. The sessions of the account end, and links that reset the password are worth nothing. False: no such account.
 * @param but the session that goes on
 */
export async function setPassword(
  tx: Transaction,
  userId: string,
  passwordHash: string,
  { but }: { but?: string } = {},
): Promise<boolean> {
  if (!isUuid(userId)) return false;
  const changed = await tx.user.updateMany({ where: { id: userId }, data: { password_hash: passwordHash } });
  if (changed.count === 0) return false;
  await endSessionsOf(tx, userId, 'password', but);
  await tx.mailToken.deleteMany({ where: { user_id: userId, purpose: 'reset_password', consumed_at: null } });
  return true;
}
