import type { StepItem } from '@sluice/flow-engine';
import type { RecordRow } from '@sluice/ports';
import { testUnit } from '../../test-support/units';
import { unitRows, type UnitFacts } from './item-rows';

const item = (index: number, more: Partial<StepItem> = {}): StepItem => ({
  index,
  key: `k${index}`,
  entity: 'contact',
  external_id: `e${index}`,
  crm_id: `${500 + index}`,
  status: 'succeeded',
  reason: null,
  failure: null,
  ...more,
});
const transient = { kind: 'transient', code: 'crm_unavailable', message: '503' } as const;
const open = { status: 'open', crm_id: null, failure: transient } as const;
const bulk = (...items: StepItem[]) => ({ all: { place: 1, action: 'upsert_many', items } });
const facts: UnitFacts = { status: 'completed', flowName: 'f', configVersion: 4, single: false };
const rowsOf = (more: Partial<UnitFacts>): RecordRow[] =>
  unitRows(testUnit({ external_id: 'E-1' }), 2, new Date('2026-01-01T00:00:00Z'), { ...facts, ...more });
const told = (rows: RecordRow[]) => rows.map(({ item: which, status, errorCode }) => [which ?? null, status, errorCode]);
const trace = (id: string, output: unknown) =>
  ({ id, action: id, status: 'ok', output, error: null, started_at: 't', duration_ms: 1, attempts: 1 }) as const;

describe('the rows of a unit', () => {
  test('are one per item of a bulk step, with its result', () => {
    const failure = { kind: 'permanent', code: 'crm_rejected', message: 'no' } as const;
    const rows = rowsOf({ bulk: bulk(item(0), item(1, { status: 'failed', crm_id: null, failure })) });
    expect(rows).toMatchObject([
      {
        item: 'all/0',
        status: 'completed',
        entityName: 'contact',
        externalId: 'e0',
        crmId: '500',
        action: 'upsert_many',
        stepId: 'all',
        replayable: false,
        configVersion: 4,
        attempts: 2,
      },
      {
        item: 'all/1',
        status: 'failed',
        externalId: 'e1',
        crmId: null,
        error: 'no',
        errorKind: 'permanent',
        errorCode: 'crm_rejected',
        replayable: true,
      },
    ]);
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
    expect(rowsOf({ bulk: bulk(item(0)) })[0]!.id).toBe(rows[0]!.id);
  });

  test.each([
    ['where the clock of the store is behind', '2025-12-31T23:59:59.970Z', '2026-01-01T00:00:00.000Z'],
    ['at its own time otherwise', '2026-01-01T00:00:00.030Z', '2026-01-01T00:00:00.030Z'],
  ])('end no earlier than the event was accepted: %s', (_, now, completedAt) => {
    const unit = testUnit({ accepted_at: '2026-01-01T00:00:00.000Z' });
    const rows = unitRows(unit, 1, new Date(now), { ...facts, bulk: bulk(item(0)) });
    expect(rows.map((row) => row.completedAt)).toEqual([completedAt]);
  });

  test('have no external id for an item without one', () => {
    expect(rowsOf({ bulk: bulk(item(0, { external_id: null })) })[0]!.externalId).toBeNull();
  });

  test.each<[string, Partial<UnitFacts>, unknown[]]>([
    [
      'a guard quarantines an item',
      { bulk: bulk(item(0, { status: 'failed', failure: { ...transient, kind: 'permanent', code: 'identity_guard' } })) },
      [['all/0', 'quarantined', 'identity_guard']],
    ],
    [
      'a skipped item',
      { status: 'skipped', bulk: bulk(item(0, { status: 'skipped', reason: 'record_not_found' })) },
      [['all/0', 'skipped', null]],
    ],
    [
      'used-up attempts park the open items',
      {
        status: 'partial_success',
        stepId: 'all',
        errorKind: 'transient',
        errorCode: 'crm_unavailable',
        bulk: bulk(item(0), item(1, open)),
      },
      [
        ['all/0', 'completed', null],
        ['all/1', 'parked', 'crm_unavailable'],
      ],
    ],
    [
      'an item that was not tried has the failure of the attempt',
      {
        status: 'parked',
        stepId: 'all',
        errorKind: 'transient',
        errorCode: 'crm_unavailable',
        error: 'down',
        bulk: bulk(item(0, { ...open, failure: null })),
      },
      [['all/0', 'parked', 'crm_unavailable']],
    ],
    [
      'an item that could not be tried the last time has the failure that used up the attempts',
      {
        status: 'partial_success',
        stepId: 'all',
        errorKind: 'transient',
        errorCode: 'crm_rate_limited',
        error: '429',
        bulk: bulk(item(0), item(1, { ...open, failure: { ...transient, code: 'portal_dry' } }), item(2, open)),
      },
      [
        ['all/0', 'completed', null],
        ['all/1', 'parked', 'crm_rate_limited'],
        ['all/2', 'parked', 'crm_unavailable'],
      ],
    ],
    [
      'an item that could not be tried before the event expired keeps its failure',
      {
        status: 'dlq',
        reason: 'expired',
        stepId: 'all',
        errorKind: 'transient',
        errorCode: 'crm_rate_limited',
        bulk: bulk(item(0, { ...open, failure: { ...transient, code: 'portal_dry' } })),
      },
      [['all/0', 'dlq', 'portal_dry']],
    ],
    [
      'a refused credential fails the open items',
      {
        status: 'partial_success',
        stepId: 'all',
        errorKind: 'fatal',
        errorCode: 'crm_forbidden',
        bulk: bulk(item(0), item(1, { ...open, failure: { ...transient, kind: 'fatal', code: 'crm_forbidden' } })),
      },
      [
        ['all/0', 'completed', null],
        ['all/1', 'failed', 'crm_forbidden'],
      ],
    ],
    [
      'what expired',
      {
        status: 'dlq',
        reason: 'expired',
        stepId: 'all',
        errorKind: 'transient',
        errorCode: 'crm_unavailable',
        bulk: bulk(item(0), item(1, open)),
      },
      [
        ['all/0', 'completed', null],
        ['all/1', 'dlq', 'crm_unavailable'],
      ],
    ],
    [
      'a single write has its row too',
      { single: true, bulk: bulk(item(0)) },
      [
        [null, 'completed', null],
        ['all/0', 'completed', null],
      ],
    ],
    [
      'the failure of another step is in the row of the unit',
      { status: 'partial_success', stepId: 'post', errorKind: 'permanent', errorCode: 'target_rejected', bulk: bulk(item(0)) },
      [
        [null, 'partial_success', 'target_rejected'],
        ['all/0', 'completed', null],
      ],
    ],
    ['no items, one row', { status: 'skipped', reason: 'no_items', bulk: bulk() }, [[null, 'skipped', null]]],
    ['no bulk step, one row', { single: true }, [[null, 'completed', null]]],
  ])('%s', (_name, given, expected) => {
    expect(told(rowsOf(given))).toEqual(expected);
  });

  test('have the trace of their step with their own result; the first one has the other steps too', () => {
    const steps = [trace('find', { found: true }), trace('all', { total: 2 })];
    const [first, second] = rowsOf({ steps, bulk: bulk(item(0), item(1)) });
    expect(first!.steps).toMatchObject([
      { id: 'find' },
      { id: 'all', output: { external_id: 'e0', crm_id: '500', status: 'succeeded' } },
    ]);
    expect(second!.steps).toMatchObject([{ id: 'all', output: { external_id: 'e1' } }]);
  });
});
