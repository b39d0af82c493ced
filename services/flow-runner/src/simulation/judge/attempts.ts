import type { RecordRow } from '@sluice/ports';
import type { SimEvent } from '../sim-traffic';
import { unitTextOf, type Trial } from './trial';

/** One failed attempt of an event that counted. */
export interface Attempt {
  /** Between these times it ran, milliseconds since the epoch. */
  from: number;
  to: number;
  /** Its failure code. */
  code: string;
}

/** A held event keeps the message of a failure, not its code. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/is not in the CRM yet/, 'related_record_not_synced'],
  [/another event is creating this record/, 'identity_claimed'],
  [/an earlier attempt may have created this record/, 'identity_unresolved'],
  [/found by its identity value is gone/, 'crm_search_stale'],
  [/^the destination answered 503/, 'target_unavailable'],
  [/^the destination cannot be reached/, 'target_not_reached'],
  [/^the destination gave no answer/, 'target_no_answer'],
];

const codeOf = (failure: string): string =>
  /^the simulated CRM: (\w+)/.exec(failure)?.[1] ?? codes.find(([pattern]) => pattern.test(failure))?.[1] ?? failure;

/** The attempts of an event that did not succeed, in order. */
export function attemptsOf({ notes }: Trial, { envelope }: SimEvent, row: RecordRow): Attempt[] {
  const unit = unitTextOf(envelope);
  const attempts: Attempt[] = [];
  let [from, used] = [Date.parse(envelope.accepted_at), 0];
  for (const wait of notes.waits.get(unit) ?? []) {
    if (wait.attempts > used && wait.attempts < row.attempts) attempts.push({ from, to: wait.at, code: codeOf(wait.failure) });
    used = Math.max(used, wait.attempts);
    if (wait.attempts < row.attempts) from = wait.at;
  }
  return [...attempts, { from, to: notes.endedAt.get(unit)!, code: row.errorCode ?? '' }];
}
