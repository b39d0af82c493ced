import type { CompatCall, RecordRow } from '@sluice/ports';
import type { ShownEvent } from '../status/event-status';
import { compatProgress, type CompatStatusFacts } from './compat-status';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 2, 10, minute)).toISOString();
const facts: CompatStatusFacts = {
  now: Date.parse(at(1)), stuckAfterMs: 600_000, eventTtlMs: 1_209_600_000, compatStuckAfterMs: 8 * 3_600_000, stopped: null,
};
const aCall = (units: number, more: Partial<CompatCall> = {}): CompatCall => ({
  callId: 'evt_1', connectorId: 'c', eventType: 'order', split: 'entities', units, run: 'first', queued: true,
  request: { entities: Array.from({ length: units }, (_, index) => ({ externalObjectId: `E${index}` })) },
  createdAt: new Date(at(0)), updatedAt: new Date(at(0)), ...more,
});

interface Unit {
  status?: RecordRow['status'];
  held?: boolean;
  run?: string;
  error?: string;
  reason?: RecordRow['reason'];
  endedAt?: number;
}

/** A view in which the units of a call have come so far. */
function viewOf(...units: (Unit | null)[]): ShownEvent {
  const keyOf = (entityIndex: number, run = 'first') => ({ eventId: 'evt_1', entityIndex, run });
  return {
    index: { connectorId: 'c', entitiesTotal: units.length, acceptedAt: at(0), units: units.length, aliases: [] },
    rows: units.flatMap((unit, index) => (unit?.status === undefined ? [] : [{
      unit: keyOf(index, unit.run), status: unit.status, error: unit.error ?? null, reason: unit.reason ?? null, externalId: `E${index}`,
      completedAt: at(unit.endedAt ?? 1),
    } as RecordRow])),
    held: units.flatMap((unit, index) => (
      unit?.held ? [{ unit: keyOf(index, unit.run), reason: 'retry' as const, dueAt: null, error: null, errorCode: null }] : []
    )),
    replays: [],
  };
}
const [queued, running, done, skipped]: (Unit | null)[] = [{ held: true }, null, { status: 'completed' }, { status: 'skipped' }];
const failed: Unit = { status: 'failed', error: 'no e-mail address' };
const statusOf = (...units: (Unit | null)[]) => compatProgress(aCall(units.length), viewOf(...units), facts).callStatus;

test.each<[string, string, (Unit | null)[]]>([
  ['every record waits', 'InQueue', [queued!, queued!]],
  ['some wait, some run', 'InProgress', [queued!, running!]],
  ['every record runs', 'InProgress', [running!, running!]],
  ['some wait, some are done', 'InProgress', [queued!, done!]],
  ['some run, some have failed', 'InProgress', [running!, failed]],
  ['none runs any more, and any has failed', 'Error', [done!, failed]],
  ['the only record has failed', 'Error', [failed]],
  ['a record was given up', 'Error', [{ status: 'parked' }, done!]],
  ['a record arrived in part', 'Error', [{ status: 'partial_success' }]],
  ['a record is quarantined', 'Error', [{ status: 'quarantined' }]],
  ['a record has expired', 'Error', [{ status: 'dlq', reason: 'expired' }]],
  ['all are done or skipped', 'Complete', [done!, skipped!]],
  ['all are done', 'Complete', [done!]],
])('a call of which %s is %s', (_title, expected, units) => {
  expect(statusOf(...units)).toBe(expected);
});

test('errors name their records, at most 500, one empty entry when there is none', () => {
  const progress = (...units: (Unit | null)[]) => compatProgress(aCall(units.length), viewOf(...units), facts);
  expect(progress(done!, running!).callError).toEqual([{}]);
  expect(progress(done!, failed, { status: 'dlq', reason: 'expired' }, { status: 'parked' }).callError).toEqual([
    { error: 'no e-mail address', externalObjectId: 'E1' }, { error: 'expired', externalObjectId: 'E2' },
    { error: 'parked', externalObjectId: 'E3' },
  ]);
  expect(progress(...Array.from({ length: 600 }, () => failed)).callError).toHaveLength(500);
});

test('what is queued or runs for more than eight hours counts as an error', () => {
  const late = (minutes: number) =>
    compatProgress(aCall(3), viewOf(queued!, running!, done!), { ...facts, now: Date.parse(at(minutes)) });
  expect(late(479).callStatus).toBe('InProgress');
  expect(late(481)).toMatchObject({
    callStatus: 'Error',
    callError: [{ error: 'Not processed in time', externalObjectId: 'E0' }, { error: 'Not processed in time', externalObjectId: 'E1' }],
  });
  const body = { shop: 1 };
  const whole = compatProgress(
    aCall(1, { split: 'none', request: body }), viewOf(running!), { ...facts, now: Date.parse(at(481)) },
  );
  expect(whole.callError).toEqual([{ error: 'Not processed in time' }]);
});

test('a resend counts anew: what an earlier run said is gone, what a later replay says counts', () => {
  const resent = aCall(1, { run: 'resend-1', updatedAt: new Date(at(5)) });
  const status = (view: ShownEvent) => compatProgress(resent, view, { ...facts, now: Date.parse(at(6)) }).callStatus;
  expect(status(viewOf(failed))).toBe('InProgress');
  expect(status(viewOf({ ...failed, endedAt: 6 }))).toBe('InProgress');
  expect(status(viewOf({ status: 'completed', run: 'resend-1', endedAt: 6 }))).toBe('Complete');
  expect(status(viewOf({ held: true, run: 'resend-1' }))).toBe('InQueue');
  expect(status(viewOf({ status: 'completed', run: 'replay-1', endedAt: 6 }))).toBe('Complete');
  expect(status(viewOf({ status: 'completed', run: 'replay-1', endedAt: 4 }))).toBe('InProgress');
});

test('says when a record last ended', () => {
  const ended = compatProgress(
    aCall(3), viewOf({ ...failed, endedAt: 7 }, { status: 'completed', endedAt: 9 }, running!), facts,
  ).endedAt;
  expect(ended).toEqual(new Date(at(9)));
  expect(compatProgress(aCall(1), viewOf(running!), facts).endedAt).toBeNull();
});

test('what could not be queued waits for a resend', () => {
  const nothing: ShownEvent = { index: null, rows: [], held: [], replays: [] };
  expect(compatProgress(aCall(2, { queued: false }), nothing, facts).callStatus).toBe('InQueue');
  expect(compatProgress(aCall(2), nothing, facts).callStatus).toBe('InProgress');
});
