import type { PublishResult } from '@sluice/ports';

/**
 * Broker errors with which it says that it appended nothing. Not among them: REQUEST_TIMED_OUT and
 * NOT_ENOUGH_REPLICAS_AFTER_APPEND, where the leader has the messages and a follower may not.
 */
const appendedNothing = new Set([
  'CORRUPT_MESSAGE', 'UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION', 'MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE',
  'NOT_ENOUGH_REPLICAS', 'INVALID_REQUIRED_ACKS', 'TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED', 'INVALID_TIMESTAMP', 'INVALID_RECORD',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT', 'POLICY_VIOLATION', 'KAFKA_STORAGE_ERROR',
]);

/** What one failed attempt left behind. */
export interface FailedAttempt {
  error: unknown;
  /** A produce request went to a socket during the attempt. */
  written: boolean;
  /** Partitions in the batch: kafkajs reports only the first error, the other partitions may have been appended. */
  partitions: number;
}

/**
 * What became of a batch whose last attempt failed. One unknown attempt makes the whole unknown. kafkajs's error alone
 * cannot tell: after a cut connection it refreshes its metadata first and reports that failure instead.
 */
export function publishOutcome(attempts: readonly FailedAttempt[]): PublishResult {
  const unsure = attempts.find((attempt) => !wasRefused(attempt));
  const error = (unsure ?? attempts[attempts.length - 1])?.error;
  return { ok: false, outcome: unsure ? 'unknown' : 'refused', message: String((error as Error | undefined)?.message ?? error) };
}

export function wasRefused({ error, written, partitions }: FailedAttempt): boolean {
  if (!written) return true;
  const type = protocolError(error);
  return partitions === 1 && type !== undefined && appendedNothing.has(type);
}

/** The broker's own word, looked up through kafkajs's wrappers. */
export function protocolError(error: unknown): string | undefined {
  for (let at = error as { type?: unknown; cause?: unknown } | undefined; at; at = at.cause as typeof at) {
    if (typeof at.type === 'string') return at.type;
  }
  return undefined;
}
