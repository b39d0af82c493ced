import { flowText } from '@sluice/contracts';
import type { HeldReason, RecordRow } from '@sluice/ports';
import { eventProgress, type ShownEvent, type StatusFacts } from './event-status';
import { statusHint, statusAnswer } from './status-answer';

const acceptedAt = '2026-03-02T10:00:00.000Z';
const minute = 60_000;
const facts: StatusFacts = {
  now: Date.parse(acceptedAt) + minute,
  acceptedBy: Date.parse(acceptedAt),
  stuckAfterMs: 10 * minute,
  eventTtlMs: 60 * minute,
  stopped: null,
};

const row = (status: RecordRow['status'], entityIndex = 0, changes: Partial<RecordRow> & { run?: string } = {}): RecordRow => ({
  id: `5f0c1c9e-0000-4000-8000-00000000000${entityIndex}`,
  organizationId: 'o',
  connectorId: 'c',
  flowName: 'f',
  sourceName: 's',
  eventType: 'order.created',
  entityName: 'order',
  externalId: 'x',
  action: 'upsert',
  stepId: 's1',
  status,
  error: null,
  errorKind: null,
  errorCode: null,
  reason: null,
  crmId: '7',
  attempts: 1,
  replayable: false,
  configVersion: 1,
  createdAt: acceptedAt,
  completedAt: acceptedAt,
  steps: [],
  ...changes,
  unit: { eventId: 'e', entityIndex, run: changes.run ?? 'first' },
});
const held = (reason: HeldReason, dueAt: number | null, entityIndex = 0, run = 'first') => ({
  unit: { eventId: 'e', entityIndex, run },
  reason,
  dueAt,
  error: `${reason} of ${entityIndex}`,
  errorCode: 'crm_unavailable' as const,
});
const view = (
  total: number | null, rows: RecordRow[] = [], waiting: ShownEvent['held'] = [], replays: ShownEvent['replays'] = [],
): ShownEvent => ({
  index: total === null ? null : { connectorId: 'c', entitiesTotal: total, acceptedAt, units: total, aliases: [] },
  rows,
  held: waiting,
  replays,
});
const replay = (run: string, askedAt: number, entityIndex = 0) => ({ unit: { eventId: 'e', entityIndex, run }, askedAt });
const drained = { reason: 'expired' as const };

describe('status of an event', () => {
  test.each<[string, ShownEvent, string]>([
    ['not indexed yet', view(null), 'processing'],
    ['nothing reported', view(1), 'processing'],
    ['rows before the index knows how many there are', view(null, [row('completed')]), 'processing'],
    ['some done', view(2, [row('completed')]), 'processing'],
    ['some done, one waits', view(2, [row('completed')], [held('retry', 1, 1)]), 'pending'],
    ['all done', view(2, [row('completed'), row('completed', 1)]), 'completed'],
    ['done and skipped', view(2, [row('completed'), row('skipped', 1)]), 'completed'],
    ['all skipped', view(2, [row('skipped'), row('skipped', 1)]), 'skipped'],
    ['one of two failed', view(2, [row('failed'), row('completed', 1)]), 'partial_failure'],
    ['one of two parked, the other skipped', view(2, [row('parked'), row('skipped', 1)]), 'partial_failure'],
    ['all failed, parked, quarantined', view(3, [row('failed'), row('parked', 1), row('quarantined', 2)]), 'failed'],
    ['the only one parked', view(1, [row('parked')]), 'failed'],
    ['the only one quarantined', view(1, [row('quarantined')]), 'failed'],
    ['the only one half done', view(1, [row('partial_success')]), 'partial_failure'],
    ['half done and failed', view(2, [row('partial_success'), row('failed', 1)]), 'partial_failure'],
    ['expired', view(1, [row('dlq', 0, drained)]), 'drained'],
    ['its connector deleted', view(2, [row('dlq', 0, drained), row('dlq', 1, { reason: 'connector_deleted' })]), 'drained'],
    ['some expired, some done', view(2, [row('dlq', 0, drained), row('completed', 1)]), 'partial_failure'],
    ['dead for another reason', view(1, [row('dlq', 0, { reason: flowText('unreadable') })]), 'failed'],
    ['some items of a bulk action failed', view(1, [row('completed'), row('failed')]), 'partial_failure'],
    ['all items of a bulk action failed', view(1, [row('failed'), row('failed')]), 'failed'],
    [
      'failed, then replayed well',
      view(1, [row('failed'), row('completed', 0, { run: 'r1', completedAt: '2026-03-02T11:00:00Z' })]),
      'completed',
    ],
    ['replayed, and the replay waits', view(1, [row('failed')], [held('retry', 5, 0, 'r1')]), 'pending'],
    ['settled between the two reads', view(1, [row('completed')], [held('retry', 5)]), 'completed'],
  ])('%s', (_name, seen, expected) => {
    expect(eventProgress(seen, facts).status).toBe(expected);
  });

  test('is delayed when nothing is reported past the deadline, counted from the index or else from the id', () => {
    const late = { ...facts, now: Date.parse(acceptedAt) + 10 * minute + 1 };
    expect(eventProgress(view(2), { ...late, now: late.now - 1 }).status).toBe('processing');
    expect(eventProgress(view(2), late).status).toBe('delayed');
    expect(eventProgress(view(null), late).status).toBe('delayed');
    expect(eventProgress(view(null), { ...late, acceptedBy: late.now }).status).toBe('processing');
    expect(eventProgress(view(2, [row('completed')]), late).status).toBe('processing');
    expect(eventProgress(view(2, [], [held('paused', null)]), late).status).toBe('pending');
  });

  test('is processing from the request of a replay on, until its run has ended or shows no sign for too long', () => {
    const asked = facts.now - 1_000;
    const of = (rows: RecordRow[], changes: Partial<StatusFacts> = {}, total = 1) =>
      eventProgress(view(total, rows, [], [replay('r1', asked)]), { ...facts, ...changes });
    expect(of([row('failed')])).toMatchObject({ status: 'processing', done: 0, rows: [{ status: 'failed' }] });
    expect(of([row('failed'), row('completed', 1)], {}, 2)).toMatchObject({ status: 'processing', done: 1 });
    expect(of([row('failed'), row('completed', 0, { run: 'r1', completedAt: '2026-03-02T11:00:00Z' })]).status).toBe('completed');
    expect(of([row('failed')], { stopped: 'paused' }).status).toBe('pending');
    // Long after the event was accepted: the time of a replay counts from its request.
    const [now, late] = [asked + facts.stuckAfterMs, Date.parse(acceptedAt) - facts.eventTtlMs];
    const old = { ...view(1, [row('failed')], [], [replay('r1', asked)]) };
    old.index = { ...old.index!, acceptedAt: new Date(late).toISOString() };
    expect(eventProgress(old, { ...facts, now, stopped: 'paused' }).status).toBe('pending');
    expect(eventProgress(old, { ...facts, now }).status).toBe('processing');
    expect(eventProgress(old, { ...facts, now: now + 1 }).status).toBe('failed');
  });

  test('is drained once it has waited longer than events are kept, also of a connector that is still stopped', () => {
    const over = { ...facts, now: Date.parse(acceptedAt) + facts.eventTtlMs };
    const paused = { ...over, stopped: 'paused' as const };
    expect(eventProgress(view(1, [], [held('paused', null)]), { ...paused, now: over.now - 1 })).toMatchObject({
      status: 'pending',
      held: { reason: 'paused' },
    });
    expect(eventProgress(view(1, [], [held('paused', null)]), paused)).toMatchObject({ status: 'drained', held: null });
    expect(eventProgress(view(1), paused).status).toBe('drained');
    expect(eventProgress(view(1, [], [held('retry', over.now)]), over).status).toBe('drained');
    expect(eventProgress(view(1, [row('failed')], [held('retry', over.now, 0, 'replay-1')]), over).status).toBe('pending');
    expect(eventProgress(view(2, [row('completed')], [held('retry', null, 1)]), over).status).toBe('partial_failure');
  });

  test('names the reason of the unit that runs first, and when', () => {
    const seen = view(3, [], [held('paused', null), held('retry', 2_000, 1), held('fatal', 1_000, 2)]);
    expect(eventProgress(seen, facts)).toMatchObject({
      status: 'pending',
      held: { reason: 'fatal', until: '1970-01-01T00:00:01.000Z', error: 'fatal of 2', error_code: 'crm_unavailable' },
    });
    expect(eventProgress(view(1, [], [held('paused', null)]), facts).held).toMatchObject({ reason: 'paused', until: null });
  });

  test('waits with a paused connector, but keeps what is done', () => {
    const paused = { ...facts, stopped: 'paused' as const };
    expect(eventProgress(view(1), paused)).toMatchObject({
      status: 'pending',
      held: { reason: 'paused', until: null, error: null, error_code: null },
    });
    expect(eventProgress(view(1, [row('failed')]), paused).status).toBe('failed');
    expect(eventProgress(view(2, [row('completed')], [held('retry', 5, 1)]), paused)).toMatchObject({
      status: 'pending',
      done: 1,
      held: { reason: 'paused', until: null, error: 'retry of 1', error_code: 'crm_unavailable' },
    });
  });

  test('counts entities, not rows, and shows the newest run of each in order', () => {
    const again = row('completed', 1, { run: 'r1', id: 'new', completedAt: '2026-03-02T11:00:00Z' });
    const progress = eventProgress(view(3, [row('failed', 1), row('completed', 0), row('completed', 0), again]), facts);
    expect([
      progress.total,
      progress.done,
      progress.rows.map(({ unit, status, id }) => [unit.entityIndex, status, id === 'new']),
    ]).toEqual([
      3,
      2,
      [
        [0, 'completed', false],
        [0, 'completed', false],
        [1, 'completed', true],
      ],
    ]);
  });
});

test('the answer has the rows of the contract, and `held` only while it waits', () => {
  const waiting = statusAnswer(
    'e',
    eventProgress(
      view(
        2,
        [row('failed', 0, { error: 'no', errorKind: 'permanent', errorCode: 'crm_rejected', replayable: true })],
        [held('retry', 1_000, 1)],
      ),
      facts,
    ),
  );
  expect(waiting).toEqual({
    event_id: 'e',
    status: 'pending',
    entities_total: 2,
    entities_done: 1,
    hint: null,
    held: { reason: 'retry', until: '1970-01-01T00:00:01.000Z', error: 'retry of 1', error_code: 'crm_unavailable' },
    entities: [
      {
        entity_name: 'order',
        external_id: 'x',
        action: 'upsert',
        status: 'failed',
        crm_id: '7',
        error: 'no',
        replayable: true,
        sync_event_id: row('failed').id,
        reason: null,
        error_kind: 'permanent',
        error_code: 'crm_rejected',
        flow_name: 'f',
        step_id: 's1',
        attempts: 1,
        config_version: 1,
      },
    ],
  });
  const skipped = statusAnswer('e', eventProgress(view(1, [row('skipped', 0, { reason: 'flow_disabled' })]), facts));
  expect(skipped).toMatchObject({ entities: [{ status: 'skipped', reason: 'flow_disabled' }] });
  expect(statusAnswer('e', eventProgress(view(1), facts))).not.toHaveProperty('held');
});

test('hints say why an event was skipped or is late', () => {
  const of = (rows: RecordRow[]) => statusHint(eventProgress(view(1, rows), facts));
  expect(of([row('skipped', 0, { flowName: null, reason: 'no_flow_matched' })])).toBe(
    'No published flow is subscribed to "order.created".',
  );
  expect(of([row('skipped', 0, { reason: 'flow_disabled' })])).toBe('Only a disabled flow is subscribed to this event.');
  const ran = { status: 'skipped', output: null, error: null, started_at: acceptedAt, duration_ms: 1, attempts: 1 } as const;
  for (const reason of ['flow_disabled', 'no_flow_matched'])
    expect(of([row('skipped', 0, { reason: flowText(reason), steps: [{ id: 'out', action: 'skip', ...ran }] })])).toBeNull();
  expect(of([row('skipped', 0, { reason: 'superseded' })])).toBeNull();
  expect(of([row('completed')])).toBeNull();
  const items = [row('completed', 0, { item: 'all/0' }), row('failed', 0, { item: 'all/1', replayable: true })];
  expect(of(items)).toMatch(/^1 of the 2 records of this event did not arrive/);
  expect(of([row('failed', 0, { replayable: true })])).toBeNull();
  expect(statusHint(eventProgress(view(1), { ...facts, now: facts.now + 60 * minute }))).toMatch(/not started in time/);
});
