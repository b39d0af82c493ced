import { randomUUID } from 'node:crypto';
import type { VerifiedRecord } from '@sluice/flow-run';
import type { MonotonicClock, ServiceRequestStore, TaskStore } from '@sluice/ports';
import { apiError, HttpError } from '@sluice/service-kit';
import type { UnitToVerify } from './verify-event-job';
import { verifyKind, type VerifyAnswer, type VerifyRequest } from './verify-request';

export interface AskVerifyDeps {
  requests: Pick<ServiceRequestStore, 'add' | 'take' | 'remove'>;
  tasks: Pick<TaskStore, 'wake' | 'remove'>;
  /** Milliseconds until it is given up (SLUICE_VERIFY_WAIT). */
  waitMs: number;
  monotonicNow: MonotonicClock;
  sleep(ms: number): Promise<void>;
}

/**
 * Has records compared with the CRM by a service that may read it (docs/adr/0143-verify-runs-where-the-keys-are.md).
 * @throws HttpError as the other service says, 503 when nobody answers in time or too many wait; StoreUnavailable
 */
export type AskVerify = (
  whose: { organizationId: string; connectorId: string }, units: readonly UnitToVerify[],
) => Promise<VerifiedRecord[]>;

/** Requests that one process waits for at most. */
const mostWaiting = 64;
/** Between two looks for the answer: the first, and the longest. */
const [firstLookMs, longestLookMs] = [50, 400] as const;

export function createAskVerify({ requests, tasks, waitMs, monotonicNow, sleep }: AskVerifyDeps): AskVerify {
  let waiting = 0;
  const answerOf = async (id: string): Promise<VerifyAnswer> => {
    const until = monotonicNow() + waitMs;
    for (let lookMs: number = firstLookMs; monotonicNow() < until; lookMs = Math.min(lookMs * 1.5, longestLookMs)) {
      await sleep(lookMs);
      const taken = await requests.take(id);
      if (taken) return taken.answer as VerifyAnswer;
    }
    throw unavailable();
  };
  return async ({ organizationId: tenant, connectorId }, units) => {
    if (units.length === 0) return [];
    if (waiting >= mostWaiting) throw unavailable();
    waiting += 1;
    const id = randomUUID();
    try {
      await requests.add({ id, kind: verifyKind, body: { connectorId, units } satisfies VerifyRequest });
      await tasks.wake([{ worker: verifyKind, key: id, tenant }]);
      const answer = await answerOf(id);
      if ('entities' in answer) return answer.entities;
      throw new HttpError(answer.refused.status, answer.refused.detail, answer.refused.headers);
    } catch (error) {
      // Nobody waits any more. What cannot be removed now is removed when it is old.
      await Promise.all([requests.remove(id), tasks.remove([{ worker: verifyKind, key: id }])]).catch(() => undefined);
      throw error;
    } finally {
      waiting -= 1;
    }
  };
}

const unavailable = (): HttpError => apiError('service_unavailable', {}, { 'Retry-After': '5' });
