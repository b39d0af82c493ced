import { type CodeRefusal, type CodeRequest, mostWrongFactorCodes, stepWindow } from '@sluice/ports';
import type { Transaction } from '../../config-client/config-client';
import { inMs } from '../../config-client/database-time';

interface Factor {
  sealed: string;
  takenSteps: bigint[];
  wrongCodes: number;
  /** Milliseconds until a code is taken again; 0 or less: at once. null: never locked. */
  lockedMs: number | null;
}

/**
 * Uses a code up under the factor's row lock: of two requests with one code the second reads that it was taken, and wrong codes
 * are counted one after the other. The transaction must be committed after a refusal too, which is what is counted.
 */
export async function takeFactorCode(
  tx: Transaction,
  { userId, proof, lockMs }: CodeRequest,
): Promise<{ ok: true } | CodeRefusal> {
  const [factor] = await tx.$queryRaw<Factor[]>`
    SELECT sealed, taken_steps AS "takenSteps", wrong_codes AS "wrongCodes",
      (EXTRACT(epoch FROM locked_until - now()) * 1000)::float8 AS "lockedMs"
    FROM second_factors WHERE user_id = ${userId}::uuid FOR UPDATE`;
  if (!factor || factor.sealed !== proof.sealed) return { ok: false, reason: 'code_wrong' };
  if (factor.lockedMs !== null && factor.lockedMs > 0) return { ok: false, reason: 'code_locked', waitMs: factor.lockedMs };
  const { step } = proof;
  const isFresh = step !== null && !factor.takenSteps.includes(BigInt(step));
  if (!isFresh && !(await takeRecoveryCode(tx, userId, proof.recoveryHashes))) return refused(tx, userId, factor, lockMs);
  const kept = isFresh
    ? [...factor.takenSteps.filter((taken) => taken >= BigInt(step - 2 * stepWindow)), BigInt(step)] : factor.takenSteps;
  await tx.secondFactor.update({ where: { user_id: userId }, data: { taken_steps: kept, wrong_codes: 0, locked_until: null } });
  return { ok: true };
}

const takeRecoveryCode = async (tx: Transaction, userId: string, hashes: readonly string[]): Promise<boolean> =>
  (await tx.recoveryCode.deleteMany({ where: { user_id: userId, code_hash: { in: [...hashes] } } })).count > 0;

/** One more wrong code. A lock that has passed leaves none. */
async function refused(tx: Transaction, userId: string, factor: Factor, lockMs: number): Promise<CodeRefusal> {
  const wrong = (factor.lockedMs === null ? factor.wrongCodes : 0) + 1;
  if (wrong < mostWrongFactorCodes)
    await tx.secondFactor.update({ where: { user_id: userId }, data: { wrong_codes: wrong, locked_until: null } });
  else
    await tx.$executeRaw`
      UPDATE second_factors SET wrong_codes = ${wrong}, locked_until = ${inMs(lockMs)} WHERE user_id = ${userId}::uuid`;
  return { ok: false, reason: 'code_wrong' };
}
