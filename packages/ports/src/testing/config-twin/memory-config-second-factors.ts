import { noteAudit } from '../../config-store/audit-scope';
import {
  type CodeRefusal, type CodeRequest, mostWrongFactorCodes, type SecondFactorStore, stepWindow,
} from '../../config-store';
import { openMemorySession } from './memory-config-sessions';
import { type MemoryConfigState, organizationIdsOf } from './memory-config-state';

/** Second factors of the twin. */
export function createMemorySecondFactors(state: MemoryConfigState): SecondFactorStore {
  const withCode = async (request: CodeRequest, change: () => void): Promise<{ ok: true } | CodeRefusal> => {
    const taken = takeCode(state, request);
    if (!taken.ok) return taken;
    change();
    noteAudit({ targetId: request.userId });
    return taken;
  };
  const isPending = (enrolledAt: Date, pendingMs: number): boolean => enrolledAt.getTime() > Date.now() - pendingMs;
  const challengeOf = (tokenHash: string): Awaited<ReturnType<SecondFactorStore['findChallenge']>> => {
    const found = state.challenges.get(tokenHash);
    if (found && found.expiresAt > new Date()) return { ok: true, userId: found.userId };
    return { ok: false, reason: found?.elsewhere ? 'expired_elsewhere' : 'challenge_unknown' };
  };
  return {
    async enroll({ userId, sealed, pendingMs }) {
      const factor = state.secondFactors.get(userId);
      if (factor?.enabled) return { ok: false, reason: 'mfa_already_enabled' };
      if (factor && isPending(factor.enrolledAt, pendingMs)) return { ok: false, reason: 'enrollment_already_in_progress' };
      const { wrongCodes = 0, lockedUntil = null } = factor ?? {};
      const fresh = { sealed, enabled: false, enrolledAt: new Date(), takenSteps: [], recoveryHashes: [] };
      state.secondFactors.set(userId, { ...fresh, wrongCodes, lockedUntil });
      noteAudit({ targetId: userId });
      return { ok: true };
    },
    async find(userId, pendingMs) {
      const factor = state.secondFactors.get(userId);
      if (!factor || (!factor.enabled && !isPending(factor.enrolledAt, pendingMs))) return null;
      return { sealed: factor.sealed, enabled: factor.enabled };
    },
    confirm: ({ recoveryHashes, ...request }) => withCode(request, () => {
      Object.assign(state.secondFactors.get(request.userId)!, { enabled: true, recoveryHashes });
      state.users.get(request.userId)!.mfaEnabled = true;
    }),
    disable: (request) => withCode(request, () => {
      state.secondFactors.delete(request.userId);
      state.users.get(request.userId)!.mfaEnabled = false;
    }),
    replaceRecoveryCodes: ({ recoveryHashes, ...request }) => withCode(request, () => {
      state.secondFactors.get(request.userId)!.recoveryHashes = recoveryHashes;
    }),
    async challenge({ tokenHash, userId, ttlMs, elsewhere }) {
      state.challenges.set(tokenHash, { userId, elsewhere, expiresAt: new Date(Date.now() + ttlMs) });
    },
    findChallenge: async (tokenHash) => challengeOf(tokenHash),
    async signIn({ tokenHash, session, ...request }) {
      const found = challengeOf(tokenHash);
      if (!found.ok) return found;
      const { userId } = request;
      const user = state.users.get(userId)!;
      const organizationIds = organizationIdsOf(state, userId);
      noteAudit({ organizationIds, userId, label: user.email });
      if (found.userId !== userId) return { ok: false, reason: 'challenge_unknown' };
      if (user.deactivated) return { ok: false, reason: 'deactivated' };
      const taken = takeCode(state, request);
      if (!taken.ok) return taken;
      state.challenges.delete(tokenHash);
      const [organizationId = null] = organizationIds;
      const sessionId = openMemorySession(state, { ...session, userId, organizationId });
      noteAudit({ targetId: sessionId });
      return { ok: true, sessionId, userId, organizationId };
    },
    async sweepChallenges(before) {
      for (const [hash, { expiresAt }] of state.challenges) if (expiresAt < before) state.challenges.delete(hash);
    },
  };
}

function takeCode(state: MemoryConfigState, { userId, proof, lockMs }: CodeRequest): { ok: true } | CodeRefusal {
  const factor = state.secondFactors.get(userId);
  if (!factor || factor.sealed !== proof.sealed) return { ok: false, reason: 'code_wrong' };
  const { step, recoveryHashes } = proof;
  const lockedMs = factor.lockedUntil === null ? 0 : factor.lockedUntil.getTime() - Date.now();
  if (lockedMs > 0) return { ok: false, reason: 'code_locked', waitMs: lockedMs };
  const isFresh = step !== null && !factor.takenSteps.includes(step);
  const isRecovery = factor.recoveryHashes.some((hash) => recoveryHashes.includes(hash));
  if (!isFresh && !isRecovery) {
    factor.wrongCodes = (factor.lockedUntil === null ? factor.wrongCodes : 0) + 1;
    factor.lockedUntil = factor.wrongCodes < mostWrongFactorCodes ? null : new Date(Date.now() + lockMs);
    return { ok: false, reason: 'code_wrong' };
  }
  if (isFresh) factor.takenSteps = [...factor.takenSteps.filter((taken) => taken >= step - 2 * stepWindow), step];
  else factor.recoveryHashes = factor.recoveryHashes.filter((hash) => !recoveryHashes.includes(hash));
  Object.assign(factor, { wrongCodes: 0, lockedUntil: null });
  return { ok: true };
}
