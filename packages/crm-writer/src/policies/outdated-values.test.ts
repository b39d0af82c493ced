import type { CallResult, CarriedRecord, CrmRecord } from '@sluice/ports';
import { isOutdated } from './outdated-values';
import { testContext } from '../test-support/test-context';

const carried: CarriedRecord = {
  objectType: '0-1', crmId: '7', properties: { city: 'Rome', amount: 10, email: 'a@x.example' }, changed: ['city', 'amount'],
};

/** @param held what the CRM has, null when the record is gone; its failure to answer */
async function judge(held: Record<string, string> | null | 'away', record = carried, forced = false) {
  const asked: unknown[] = [];
  const calls = {
    read: async (objectType: string, _property: string | null,
      properties: readonly string[]): Promise<CallResult<CrmRecord | null>> => {
      asked.push([objectType, properties]);
      if (held === 'away') return { ok: false, kind: 'transient', code: 'crm_unavailable', message: 'away' };
      return { ok: true, value: held && ({ id: '7', properties: held } as unknown as CrmRecord) };
    },
  };
  return { outdated: await isOutdated(calls, testContext(1n, { forced }), record), asked };
}

test('values are outdated when the record has another one in every property that changed', async () => {
  expect(await judge({ city: 'Oslo', amount: '11' })).toEqual({ outdated: true, asked: [['contacts', ['city', 'amount']]] });
  expect((await judge({})).outdated).toBe(true);
  expect((await judge({ city: 'Oslo', amount: '10.0' })).outdated).toBe(false);
  expect((await judge({ city: 'Rome', amount: '10', email: 'b@x.example' })).outdated).toBe(false);
});

test('what cannot be compared is sent: no answer, a record that is gone, an event without changes, a forced replay', async () => {
  expect((await judge('away')).outdated).toBe(false);
  expect((await judge(null)).outdated).toBe(false);
  const { changed: _changed, ...untold } = carried;
  expect(await judge({ city: 'Oslo' }, untold)).toEqual({ outdated: false, asked: [] });
  expect(await judge({ city: 'Oslo' }, carried, true)).toEqual({ outdated: false, asked: [] });
});
