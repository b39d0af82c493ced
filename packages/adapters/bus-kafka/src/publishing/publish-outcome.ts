import type { PublishResult } from '@sluice/ports';
import type { SendHistory, SendResult } from '@sluice/ports/bus-kit';
import { createErrorFromCode } from '../client/kafkajs-internals';

/**
 * Errors of a produce answer that a broker gives before it appends anything. Every other one leaves the outcome unknown:
 * - REQUEST_TIMED_OUT and NOT_ENOUGH_REPLICAS_AFTER_APPEND: the leader has the messages, a follower may not.
 * - NOT_LEADER_FOR_PARTITION, UNKNOWN_TOPIC_OR_PARTITION and KAFKA_STORAGE_ERROR: with acks=all the leader appends first and then
 *   waits for its followers. When it loses the partition meanwhile it answers one of these, and the next leader may have the
 * messages.
 * - LEADER_NOT_AVAILABLE belongs to metadata; it says nothing about what was sent (ADR 0026).
 */
const appendedNothing = new Set([
  'CORRUPT_MESSAGE',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'NOT_ENOUGH_REPLICAS',
  'INVALID_REQUIRED_ACKS',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'INVALID_TIMESTAMP',
  'INVALID_RECORD',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'POLICY_VIOLATION',
]);
/** Repeating these cannot help. */
const final = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'POLICY_VIOLATION',
  'INVALID_RECORD',
]);

/** Errors of the messages themselves: the same messages will always be refused. */
const unacceptable = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);

/** Attempts at an entry, and how many of them may have appended it: each of these may leave one more copy in the log. */
const [maxAttempts, maxUnsure] = [5, 3];

/** The result of an attempt at an entry that was not acknowledged. */
export interface FailedAttempt {
  /** The entry may be in the log. */
  unsure: boolean;
  /** Trying again cannot help. */
  final: boolean;
  /** The messages themselves are refused. */
  unacceptable?: boolean;
  message: string;
}

/** The broker answered for the entry's partition with an error code, or (undefined) left the partition out of its answer. */
export function answeredWith(code: number | undefined): FailedAttempt {
  if (code === undefined) return { unsure: true, final: false, message: 'The broker did not answer for this partition.' };
  const { type, message } = createErrorFromCode(code);
  return {
    unsure: !appendedNothing.has(type), final: final.has(type), message: `${type}: ${message}`,
    ...(unacceptable.has(type) && { unacceptable: true }),
  };
}

/** There was no answer. @param wrote whether a produce request went to a socket */
export function unanswered(error: unknown, wrote: boolean): FailedAttempt {
  return { unsure: wrote, final: false, message: String((error as Error | undefined)?.message ?? error) };
}

/**
 * Decides after a failed attempt whether an entry is sent again or has its result. One attempt with an unknown outcome makes the
 * result unknown.
 */
export function afterFailure(history: SendHistory | undefined, attempt: FailedAttempt): SendResult {
  const before = history ?? { attempts: 0, unsure: 0, message: '' };
  const attempts = before.attempts + 1;
  const unsure = before.unsure + (attempt.unsure ? 1 : 0);
  const message = attempt.unsure || before.unsure === 0 ? attempt.message : before.message;
  if (!attempt.final && attempts < maxAttempts && unsure < maxUnsure) return { again: { attempts, unsure, message } };
  return finalResult({ attempts, unsure, message }, attempt.unacceptable === true);
}

function finalResult({ unsure, message }: SendHistory, isUnacceptable: boolean): PublishResult {
  return { ok: false, outcome: unsure > 0 ? 'unknown' : 'refused', message, ...(isUnacceptable && { unacceptable: true }) };
}

/** The broker's own error, found inside kafkajs's wrappers. */
export function protocolError(error: unknown): string | undefined {
  for (let at = error as { type?: unknown; cause?: unknown } | undefined; at; at = at.cause as typeof at) {
    if (typeof at.type === 'string') return at.type;
  }
  return undefined;
}
