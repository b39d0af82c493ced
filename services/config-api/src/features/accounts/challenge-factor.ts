import { newToken } from '../../mails/mail-token';
import type { AccountDeps } from './deps';

/**
 * The answer to a first step that was right, for an account with a second factor. The token opens nothing but the second step.
 * @param elsewhere the first step was a third-party sign-in
 */
export async function challengeFactor(
  { store, times }: Pick<AccountDeps, 'times'> & { store: Pick<AccountDeps['store'], 'secondFactors'> },
  userId: string,
  { elsewhere }: { elsewhere: boolean },
): Promise<{ mfa_required: true; mfa_token: string }> {
  const { token, hash: tokenHash } = newToken('second_factor');
  await store.secondFactors.challenge({ userId, tokenHash, ttlMs: times.mfaTokenTtlMs, elsewhere });
  return { mfa_required: true, mfa_token: token };
}
