import type { CodeRefusal, CodeRequest, SecondFactorRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import { retryAfter } from '../../limits/retry-after';
import type { SecondFactorDeps } from './deps';
import { recoveryHashes } from './recovery-codes';
import { stepOf } from './totp';

/** Milliseconds in which an enrollment is to be confirmed. */
export const pendingMs = 600_000;

export const sealContext = (userId: string): string => `mfa:${userId}`;

/** The code that somebody typed, compared with his factor; the store decides whether it is taken. */
export function codeRequest(
  { codes, keyring, now, times }: Pick<SecondFactorDeps, 'codes' | 'keyring' | 'now' | 'times'>,
  { userId, code, factor: { sealed, enabled } }: { userId: string; code: string; factor: SecondFactorRow },
): CodeRequest {
  const step = stepOf(keyring.decrypt(sealed, sealContext(userId)), code, now());
  const proof = { sealed, step, recoveryHashes: enabled ? recoveryHashes(codes, userId, code) : [] };
  return { userId, proof, lockMs: times.codeLockMs };
}

/** The error answer when no code is taken. @param wrong the word of the route for a wrong one */
export const codeRefusal = (refusal: CodeRefusal, wrong: 'invalid_code' | 'invalid_mfa_code'): Error =>
  refusal.reason === 'code_wrong' ? apiError(wrong) : apiError('code_locked', {}, retryAfter(refusal.waitMs));

/** The factor of an account that has one switched on. @throws HttpError 400 `mfa_not_enabled` */
export async function enabledFactor({ store }: Pick<SecondFactorDeps, 'store'>, userId: string): Promise<SecondFactorRow> {
  const factor = await store.secondFactors.find(userId, pendingMs);
  if (!factor?.enabled) throw apiError('mfa_not_enabled');
  return factor;
}
