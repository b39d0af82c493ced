import type { OutcomeReason } from '@sluice/contracts';
import type { CallFailure } from '@sluice/ports';
import type { NotedWrite } from './refused-properties';
import { testContext } from '../test-support/test-context';
import { createUpdateById } from './update-by-id';
import type { WriteOutcome } from './upsert-state';

const write: NotedWrite = {
  entity: 'contact',
  externalId: null,
  objectType: 'contacts',
  identityProperty: null,
  identityValue: null,
  properties: { firstname: 'Ada' },
  warnings: [],
};
const refusal: CallFailure = { ok: false, kind: 'permanent', code: 'crm_conflict', message: 'taken', holderId: '9' };

async function runWith(outcome: WriteOutcome) {
  const noted: unknown[] = [];
  const landed = { noteUnmapped: (_unit: unknown, record: unknown) => void noted.push(record) };
  const run = createUpdateById({ landed } as never, { update: async () => outcome });
  return { noted, answer: await run(testContext(5n), write, '7') };
}

const of = (crmId: string) => [{ objectType: 'contacts', crmId }];

describe('an update by id', () => {
  it('notes its position with the record that it wrote, whose id a merge may have changed', async () => {
    const { answer, noted } = await runWith({ kind: 'landed', crmId: '8', isNew: false });
    expect(answer).toMatchObject({ ok: true, value: { crm_id: '8', updated: true, skipped: false } });
    expect(noted).toEqual(of('8'));
  });

  it.each<[OutcomeReason, object[]]>([
    ['superseded', []],
    ['target_wins', of('7')],
  ])('that is skipped (%s) has a reason; an older one follows only if it was itself superseded', async (reason, expected) => {
    const { answer, noted } = await runWith({ kind: 'skipped', crmId: '7', reason });
    expect(answer).toMatchObject({ ok: true, value: { crm_id: '7', updated: false, skipped: true, reason } });
    expect(noted).toEqual(expected);
  });

  it.each<[string, WriteOutcome, object]>([
    ['of a record that is gone', { kind: 'gone' }, { kind: 'permanent', code: 'crm_not_found' }],
    ['of a value that another record has', { kind: 'taken', refusal }, { kind: 'permanent', code: 'crm_value_taken' }],
    ['that failed', { kind: 'failed', failure: { ...refusal, code: 'crm_rejected' } }, { code: 'crm_rejected' }],
  ])('%s is a failure, and notes nothing', async (_what, outcome, failure) => {
    const { answer, noted } = await runWith(outcome);
    expect(answer).toMatchObject({ ok: false, ...failure });
    expect(noted).toEqual([]);
  });
});
