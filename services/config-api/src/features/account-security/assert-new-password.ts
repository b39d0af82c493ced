import { apiError } from '@sluice/service-kit';
import { assertGoodPassword, type KnownWords } from '../accounts/passwords/common-password';
import type { Passwords } from '../accounts/passwords/passwords';

/** Throws 400 for a password that is weak, or the present one. */
export async function assertNewPassword(
  passwords: Pick<Passwords, 'isSame'>,
  { password, presentHash, address }: { password: string; presentHash: string; address: string },
  known: KnownWords,
): Promise<void> {
  assertGoodPassword(password, known);
  if (await passwords.isSame(password, presentHash, address)) throw apiError('same_password');
}
