import type { CallFailure, CallResult, CrmRecord, Mapping } from '@sluice/ports';
import { fakeSession } from '../test-support/fake-session';
import { testContext } from '../test-support/test-context';
import { createPromoteRecord } from './promote-record';

const record: CrmRecord = { id: '7', properties: { number: '' }, createdAt: '', updatedAt: '', archived: false };
const others: Mapping[] = [{
  connectorId: 'c', entity: 'order', externalId: 'OLD', portalId: 'portal', objectType: 'deals', crmId: '7', bindingEpoch: 1,
  position: null,
}];
const away: CallFailure = { ok: false, kind: 'transient', code: 'crm_unavailable', message: 'away' };
const taken: CallFailure = { ok: false, kind: 'permanent', code: 'crm_value_taken', message: 'taken', holderId: '9' };

/** A forced promotion of a record to `NEW` that is mapped to `OLD`. */
async function forced(update: CallResult<CrmRecord>) {
  const changes: string[] = [];
  const parts = {
    catalog: { isUnique: () => ({ ok: true, value: true }) },
    claims: {
      alone: (_claim: unknown, work: () => unknown) => work(),
      claim: async () => ({ state: 'granted', sendBy: Infinity }),
    },
    landed: { note: () => undefined },
    mappings: {
      find: async () => null,
      remove: (_unit: unknown, { externalId }: Mapping) => void changes.push(`removed ${externalId}`),
      save: (_unit: unknown, { externalId }: Mapping) => void changes.push(`saved ${externalId}`),
    },
  };
  const calls = {
    read: async (_type: string, property: string | null) => ({ ok: true, value: property === null ? record : null }),
    update: async () => update,
  };
  const promote = createPromoteRecord(parts as never, fakeSession({}), calls as never, async () => others);
  const target = { entity: 'order', objectType: 'deals', externalId: 'NEW', identityProperty: 'number', identityValue: 'NEW' };
  const answer = await promote(testContext(1n, { forced: true }), { target, crmId: '7' });
  return { answer, changes };
}

test('a forced promotion takes the record from the external id that it was mapped to', async () => {
  const { answer, changes } = await forced({ ok: true, value: record });
  expect(answer).toMatchObject({ ok: true, value: { promoted: true, previous_external_id: 'OLD' } });
  expect(changes).toEqual(['removed OLD', 'saved NEW']);
});

test.each([['that failed', away], ['to a value that another record has', taken]])(
  'one %s leaves the record to it', async (_what, refusal) => {
    const { answer, changes } = await forced(refusal);
    expect(answer).not.toMatchObject({ value: { promoted: true } });
    expect(changes).toEqual([]);
  });
