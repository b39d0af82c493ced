import type { SendHistory } from '@sluice/ports/bus-kit';
import { afterFailure, answeredWith, unanswered } from './publish-outcome';

const sure: SendHistory = { attempts: 1, unsure: 0, message: 'before' };
const unsure: SendHistory = { attempts: 1, unsure: 1, message: 'cut' };

describe('what a broker answers for a partition', () => {
  it.each([
    [7, 'REQUEST_TIMED_OUT'],
    [20, 'NOT_ENOUGH_REPLICAS_AFTER_APPEND'],
    // With acks=all these can come after the local append: the leader has lost the partition while it waited for its followers.
    [6, 'NOT_LEADER_FOR_PARTITION'],
    [3, 'UNKNOWN_TOPIC_OR_PARTITION'],
    [56, 'KAFKA_STORAGE_ERROR'],
    [5, 'LEADER_NOT_AVAILABLE'],
    [-1, 'UNKNOWN'],
    [12_345, 'KAFKAJS_UNKNOWN_ERROR_CODE'],
  ])('leaves the outcome unknown with %i %s, and is tried again', (code, name) => {
    const attempt = answeredWith(code);
    expect(attempt).toEqual({ unsure: true, final: false, message: expect.stringContaining(name) });
    expect(afterFailure(undefined, attempt)).toMatchObject({ again: { attempts: 1, unsure: 1 } });
  });

  it('leaves the outcome unknown when it does not name the partition', () => {
    expect(answeredWith(undefined)).toMatchObject({ unsure: true, final: false });
  });

  it('appended nothing and may be tried again when there are too few replicas before the append', () => {
    expect(afterFailure(undefined, answeredWith(19))).toEqual({
      again: { attempts: 1, unsure: 0, message: expect.stringContaining('NOT_ENOUGH_REPLICAS') },
    });
  });

  it.each([
    [29, 'TOPIC_AUTHORIZATION_FAILED'], [31, 'CLUSTER_AUTHORIZATION_FAILED'], [44, 'POLICY_VIOLATION'],
  ])('refuses permanently with %i %s', (code, name) => {
    expect(afterFailure(undefined, answeredWith(code))).toEqual({
      ok: false,
      outcome: 'refused',
      message: expect.stringContaining(name),
    });
  });

  it.each([
    [10, 'MESSAGE_TOO_LARGE'], [18, 'RECORD_LIST_TOO_LARGE'], [87, 'INVALID_RECORD'],
  ])('refuses the messages themselves with %i %s', (code, name) => {
    const refused = { ok: false, message: expect.stringContaining(name), unacceptable: true };
    expect(afterFailure(undefined, answeredWith(code))).toEqual({ ...refused, outcome: 'refused' });
    expect(afterFailure(unsure, answeredWith(code))).toMatchObject({ ok: false, outcome: 'unknown', unacceptable: true });
  });
});

describe('an attempt without an answer', () => {
  it('left no message when no produce request was written to a socket', () => {
    expect(afterFailure(undefined, unanswered(new Error('ECONNREFUSED'), false))).toEqual({
      again: { attempts: 1, unsure: 0, message: 'ECONNREFUSED' },
    });
  });

  it('may have left the messages when one did', () => {
    expect(afterFailure(undefined, unanswered(new Error('Closed connection'), true))).toMatchObject({ again: { unsure: 1 } });
  });
});

describe('an entry that fails again and again', () => {
  it('is refused after five attempts that left nothing', () => {
    expect(afterFailure({ ...sure, attempts: 3 }, unanswered('down', false))).toHaveProperty('again');
    expect(afterFailure({ ...sure, attempts: 4 }, unanswered('down', false))).toEqual({
      ok: false,
      outcome: 'refused',
      message: 'down',
    });
  });

  it('is unknown after three attempts that may have appended it: each may have added a copy', () => {
    expect(afterFailure({ attempts: 2, unsure: 2, message: 'x' }, answeredWith(7))).toMatchObject({
      ok: false,
      outcome: 'unknown',
      message: expect.stringContaining('TIMED_OUT'),
    });
  });

  it('is unknown when a single attempt was, with the message of that attempt', () => {
    expect(afterFailure(unsure, unanswered('down', false))).toEqual({ again: { attempts: 2, unsure: 1, message: 'cut' } });
    expect(afterFailure({ ...unsure, attempts: 4 }, unanswered('down', false))).toEqual({
      ok: false,
      outcome: 'unknown',
      message: 'cut',
    });
    expect(afterFailure(unsure, answeredWith(10))).toMatchObject({ ok: false, outcome: 'unknown' });
  });
});
