import type { CrmClient } from '@sluice/ports';
import { createActivity } from '../batching/activity';
import { answered, fakeSession } from '../test-support/fake-session';
import { testContext } from '../test-support/test-context';
import { createDissociateCalls } from './dissociate-calls';

/** Removes the associations `1>11` to `1>15` at the same time; returns the pairs of each call. */
async function removed(chunkSize?: number): Promise<string[][]> {
  const sent: string[][] = [];
  const client: Partial<CrmClient> = {
    batchArchiveAssociations: (_access, _from, _to, inputs) => {
      sent.push(inputs.flatMap(({ fromId, toIds }) => toIds.map((toId) => `${fromId}>${toId}`)));
      return Promise.resolve(answered(null));
    },
  };
  const activity = createActivity();
  const calls = createDissociateCalls(fakeSession(client), activity);
  const unit = testContext(1n, chunkSize === undefined ? {} : { chunkSize });
  await Promise.all(['11', '12', '13', '14', '15'].map((toId) => {
    activity.enter();
    return calls.dissociate('contacts', 'deals', null, { unit, fromId: '1', toId }).finally(() => activity.leave());
  }));
  return sent;
}

test('associations that are removed at the same time share a call', async () => {
  expect(await removed()).toEqual([['1>11', '1>12', '1>13', '1>14', '1>15']]);
});

test('a call has no more of them than the chunk_size of its step', async () => {
  expect((await removed(2)).map((pairs) => pairs.length).sort()).toEqual([1, 2, 2]);
});
