import type { CallFailure, RecordWrite } from '@sluice/ports';
import { decideUpsert } from './decide-upsert';
import {
  recreating, startUpsert, triedAsNew, workingAlone, type Lead, type UpsertState, type WriteOutcome,
} from './upsert-state';

const write: RecordWrite = {
  entity: 'order',
  externalId: 'A1',
  objectType: 'deals',
  properties: { number: 'N1' },
  identityProperty: 'number',
  identityValue: 'N1',
  onTargetDeleted: 'recreate',
};
const claim = { portalId: 'portal', objectType: 'deals', property: 'number', value: 'N1' };
const taken: WriteOutcome = {
  kind: 'taken',
  refusal: { ok: false, kind: 'permanent', code: 'crm_value_taken', message: 'taken', holderId: '9' },
};
const started = (more: Partial<UpsertState> = {}): UpsertState => ({
  ...startUpsert({
    mode: 'upsert', write, guarded: false, createsFirst: 'no', portalId: 'portal', times: { searchLagMs: 60, landsWithinMs: 20 },
  }),
  ...more,
});
const granted = { state: 'granted', sendBy: 7 } as const;
const claimed = (more: Partial<UpsertState> = {}): UpsertState => started({ alone: true, mapped: null, unique: false, ...more });
const updated = (lead: Lead, outcome: WriteOutcome): Pick<UpsertState, 'tried'> => ({
  tried: { how: 'update', crmId: '5', lead, outcome },
});

describe('decideUpsert', () => {
  it.each<[string, UpsertState, object]>([
    ['looks up the mapping first', started(), { kind: 'find-mapping' }],
    ['updates the mapped record', started({ mapped: '5' }), { kind: 'update', crmId: '5', lead: 'mapping' }],
    ['checks whether the CRM keeps the value unique', started({ mapped: null }), { kind: 'is-unique', property: 'number' }],
    ['upserts a unique value', started({ mapped: null, unique: true }), { kind: 'upsert', property: 'number', value: 'N1' }],
    [
      'reads which record a guarded upsert would write',
      started({ mapped: null, unique: true, guarded: true }),
      { kind: 'find-by-identity' },
    ],
    [
      'creates a record that it expects to be new without a read',
      started({ mapped: null, unique: true, guarded: true, createsFirst: 'yes', deletedLater: false }),
      { kind: 'create-new', property: 'number', value: 'N1' },
    ],
    [
      'asks before whether a newer event deleted it',
      started({ mapped: null, unique: true, guarded: true, createsFirst: 'yes' }), { kind: 'was-deleted' },
    ],
    [
      'reads a record that it could not create',
      started({ mapped: null, unique: true, guarded: true, createsFirst: 'refused' }), { kind: 'find-by-identity' },
    ],
    [
      'reads instead of creating first when the mapped record is gone',
      started({ mapped: null, unique: true, guarded: true, createsFirst: 'yes', recreating: true }), { kind: 'find-by-identity' },
    ],
    ['does not create first without a unique value', started({ mapped: null, unique: false, guarded: true, createsFirst: 'yes' }),
      { kind: 'work-alone', claim }],
    ['takes turns for a value that is not unique', started({ mapped: null, unique: false }), { kind: 'work-alone', claim }],
    ['claims before it searches', claimed(), { kind: 'claim', claim }],
    ['searches before it creates', claimed({ claim: granted }), { kind: 'search', claim }],
    ['creates a record that is not found', claimed({ claim: granted, found: null }), { kind: 'create', claim, sendBy: 7 }],
    [
      'marks the claim done when it finds the record',
      claimed({ claim: granted, found: '5' }),
      { kind: 'update', crmId: '5', notes: [{ kind: 'claim-done', claim, crmId: '5' }] },
    ],
    ['looks for its own record when a value is taken', started(updated('mapping', taken)), { kind: 'find-own' }],
    [
      'updates its own record when a value is taken',
      started({ ...updated('mapping', taken), own: '8' }),
      { kind: 'update', crmId: '8', lead: 'own' },
    ],
    ['ends when its own record is the one it tried', started({ ...updated('mapping', taken), own: '5' }), { kind: 'end' }],
    ['does not search beyond its own record', started({ ...updated('own', taken), own: '5' }), { kind: 'end' }],
    [
      'recreates a record that is gone, and forgets its mapping',
      started({ mapped: '5', ...updated('mapping', { kind: 'gone' }) }),
      { kind: 'recreate', notes: [{ kind: 'mapping-forgotten' }] },
    ],
    [
      'never recreates in an update: it looks for the record by its identity',
      started({ mode: 'update', mapped: '5', ...updated('mapping', { kind: 'gone' }) }),
      { kind: 'find-by-identity' },
    ],
  ])('%s', (_name, state, decision) => {
    expect(decideUpsert(state)).toMatchObject(decision);
  });

  it('goes back to reading after a create that came first and was refused, and ends after one without an answer', () => {
    const first = started({ mapped: null, unique: true, guarded: true, createsFirst: 'yes', deletedLater: false });
    const failing = (kind: CallFailure['kind']): WriteOutcome =>
      ({ kind: 'failed', failure: { ok: false, kind, code: 'crm_rejected', message: '' } });
    const then = (outcome: WriteOutcome) =>
      decideUpsert(triedAsNew(first, { how: 'create-new', property: 'number', value: 'N1', outcome })).kind;
    const overtaken: WriteOutcome = { kind: 'skipped', crmId: null, reason: 'superseded' };
    expect([taken, failing('permanent'), overtaken].map(then)).toEqual(Array.from({ length: 3 }, () => 'find-by-identity'));
    expect([failing('transient'), failing('fatal')].map(then)).toEqual(['end', 'end']);
  });

  it('keeps the record that a create that came first has made', () => {
    const outcome: WriteOutcome = { kind: 'landed', crmId: '5', isNew: false };
    const made = started({ tried: { how: 'create-new', property: 'number', value: 'N1', outcome } });
    expect(decideUpsert(made)).toMatchObject({
      kind: 'end', answer: { ok: true, value: { crm_id: '5', created: true } },
      notes: [{ kind: 'saved', crmId: '5' }, { kind: 'landed-by-value', property: 'number', value: 'N1' }],
    });
  });

  describe('after an attempt without an answer', () => {
    const again = (more: Partial<UpsertState>): UpsertState =>
      started({ mapped: null, write: { ...write, unansweredSince: 1 }, ...more });
    const createdBy = (more: Partial<UpsertState>): unknown => {
      const outcome: WriteOutcome = { kind: 'landed', crmId: '5', isNew: false };
      const decision = decideUpsert(again({ tried: { how: 'update', crmId: '5', lead: 'found', outcome }, ...more }));
      return 'answer' in decision && decision.answer.ok && decision.answer.value.created;
    };

    it.each<[string, Partial<UpsertState>, object]>([
      ['finds a record by its unique value before it upserts', { unique: true }, { kind: 'find-by-identity' }],
      ['upserts when there is none', { unique: true, found: null }, { kind: 'upsert' }],
      ['asks whether that attempt made the record', { unique: true, found: '5' }, { kind: 'was-made', crmId: '5' }],
      [
        'asks it of a record that a search found',
        { unique: false, alone: true, claim: granted, found: '5' }, { kind: 'was-made', crmId: '5' },
      ],
      ['then updates it', { unique: true, found: '5', made: false }, { kind: 'update', crmId: '5', lead: 'found' }],
      ['does not ask for a mapped record', { mapped: '5' }, { kind: 'update', crmId: '5', lead: 'mapping' }],
      ['nor for an update', { mode: 'update', found: '5' }, { kind: 'update', crmId: '5', lead: 'found' }],
    ])('%s', (_name, more, decision) => {
      expect(decideUpsert(again(more))).toMatchObject(decision);
    });

    it('reports the record as created when that attempt made it', () => {
      expect([createdBy({ made: true }), createdBy({ made: false }), createdBy({})]).toEqual([true, false, false]);
    });
  });

  it('releases a claim after a permanent refusal of its create, and keeps it after an unknown outcome', () => {
    const created = (kind: CallFailure['kind']): UpsertState =>
      claimed({
        tried: {
          how: 'create',
          claim,
          outcome: { kind: 'failed', failure: { ok: false, kind, code: 'crm_rejected', message: '' } },
        },
      });
    expect(decideUpsert(created('permanent')).notes).toEqual([{ kind: 'claim-released', claim }]);
    expect(decideUpsert(created('transient')).notes).toEqual([]);
    const refused = claimed({ tried: { how: 'create', claim, outcome: taken } });
    expect(decideUpsert(refused).notes).toEqual([{ kind: 'claim-released', claim }]);
    expect(decideUpsert({ ...refused, own: '8' }).notes).toEqual([{ kind: 'claim-done', claim, crmId: '8' }]);
  });

  it('looks up the mapping again once it has its turn, but not for a record that is made again', () => {
    expect(decideUpsert(workingAlone(started({ mapped: null, unique: false })))).toMatchObject({ kind: 'find-mapping' });
    const anew = recreating(started({ unique: false, mapped: '5', ...updated('mapping', { kind: 'gone' }) }));
    expect(decideUpsert(workingAlone(anew))).toMatchObject({ kind: 'claim' });
  });
});
