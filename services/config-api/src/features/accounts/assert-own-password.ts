import type { UserRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { AccountDeps } from './deps';

/**
 * The account of the signed-in person. Throws 401 `wrong_password` unless the password is his. It is counted like a sign-in: a
 * stolen session guesses no faster than anybody (429 `too_many_attempts`).
 */
export async function assertOwnPassword(
  { passwords, store }: Pick<AccountDeps, 'passwords'> & { store: Pick<AccountDeps['store'], 'accounts'> },
  principal: { kind: 'user' | 'account'; userId: string; email: string } | { kind: 'key' },
  { address, password }: { address: string; password: string },
): Promise<UserRow> {
  if (principal.kind === 'key') throw apiError('user_auth_required');
  const { email: account, userId } = principal;
  const user = await passwords.check({ account, address, password }, () => store.accounts.userById(userId));
  if (!user) throw apiError('wrong_password');
  return user;
}
