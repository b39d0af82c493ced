import { createActivity } from '../batching/activity';
import { answered, fakeSession } from '../test-support/fake-session';
import { testContext } from '../test-support/test-context';
import { createCrmRecordReads } from './crm-record-reads';

const read = (id: string, merged: string | null) => ({
  id, properties: { city: 'Rome', hs_merged_object_ids: merged }, createdAt: '', updatedAt: '', archived: false,
});

test('a record is read by an id that it had before a merge, also in a batch with others', async () => {
  const asked: unknown[] = [];
  const session = fakeSession({
    batchRead: async (_access, _type, input) => {
      asked.push(input);
      return answered({ results: [read('8', null), read('11', '9;10')], errors: [] });
    },
  });
  const activity = createActivity();
  const reads = createCrmRecordReads(session, activity);
  const ask = (crmId: string) => {
    activity.enter();
    const record = { objectType: 'contacts', crmId };
    return reads.read({ unit: testContext(1n), record, properties: ['city'], changes: [] }).finally(() => activity.leave());
  };
  const found = await Promise.all([ask('8'), ask('10'), ask('12')]);
  expect(found.map((answer) => answer.ok && (answer.value?.id ?? null))).toEqual(['8', '11', null]);
  expect(asked).toEqual([{ ids: ['8', '10', '12'], properties: ['city', 'hs_merged_object_ids'] }]);
});
