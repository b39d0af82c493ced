import type { CrmBatchAnswer, CrmClient, CrmResult } from '@sluice/ports';
import { answered, fakeSession } from '../test-support/fake-session';
import { turns } from '@sluice/ports/testing';
import { testContext } from '../test-support/test-context';
import { createActivity } from '../batching/activity';
import { createRecordCalls } from './record-calls';
import { noWriteCaps } from './write-caps';

type Input = { id: string; traceId: string };
type Answer = CrmResult<CrmBatchAnswer>;

/** A CRM that answers writes when the test releases them. */
function lab() {
  const sent: string[][] = [];
  const gates: (() => void)[] = [];
  const write = (inputs: readonly Input[]): Promise<Answer> => {
    sent.push(inputs.map(({ id }) => id));
    const results = inputs.map(({ id, traceId }) => ({
      id: '7',
      properties: { email: id },
      archived: false,
      createdAt: '',
      updatedAt: '',
      traceId,
    }));
    return new Promise((resolve) => gates.push(() => resolve(answered({ results, errors: [] }))));
  };
  const client: Partial<CrmClient> = {
    batchUpsert: (_access, _type, _property, inputs) => write(inputs as Input[]),
    batchUpdate: (_access, _type, inputs) => write(inputs as Input[]),
  };
  const activity = createActivity();
  const calls = createRecordCalls(fakeSession(client), activity, noWriteCaps);
  const ask = <T,>(work: () => Promise<T>): Promise<T> => {
    activity.enter();
    return work().finally(() => activity.leave());
  };
  return {
    sent,
    calls,
    ask,
    answer: async () => {
      gates.shift()!();
      await turns();
    },
  };
}

describe.each(['upsert', 'update'] as const)('an %s that waits for another of its record', (how) => {
  it('is left out when the other one was newer', async () => {
    const { sent, calls, ask, answer } = lab();
    let newerLanded = false;
    const send = (more: { superseded?(): boolean }) =>
      ask(() =>
        how === 'upsert'
          ? calls.upsert('contacts', 'email', { unit: testContext(), identityValue: 'a@x.co', properties: {}, ...more })
          : calls.update('contacts', { unit: testContext(), id: '7', properties: {}, ...more }),
      );
    const newer = send({}).then((result) => {
      newerLanded = true;
      return result;
    });
    await turns();
    const older = send({ superseded: () => newerLanded });
    await turns();
    await answer();
    expect(await newer).toMatchObject({ ok: true, value: { id: '7' } });
    expect(await older).toMatchObject({ ok: false, code: 'superseded' });
    expect(sent).toHaveLength(1);
  });
});

describe('a batch that the CRM refuses whole, and is sent in parts', () => {
  const halves = () => {
    const sent: string[][] = [];
    const heard: string[] = [];
    const batchUpdate = ((_access, _type, inputs) => {
      sent.push(inputs.map(({ id }) => id));
      if (inputs.length > 1) return Promise.resolve({ ok: false, kind: 'permanent', code: 'crm_rejected', message: 'no',
        status: 400 });
      const results = inputs.map(({ id, traceId }) => ({ id, properties: {}, archived: false, createdAt: '', updatedAt: '',
        traceId }));
      return Promise.resolve(answered({ results, errors: [] }));
    }) as CrmClient['batchUpdate'];
    const activity = createActivity();
    const calls = createRecordCalls(fakeSession({ batchUpdate }), activity, noWriteCaps);
    const update = (id: string, superseded?: () => boolean) => {
      activity.enter();
      const ask = { unit: testContext(), id, properties: {}, superseded,
        heard: (record: { id: string }) => { heard.push(record.id); } };
      return calls.update('contacts', ask).finally(() => activity.leave());
    };
    return { sent, heard, update };
  };

  it('tells of each part as soon as it is answered', async () => {
    const { sent, heard, update } = halves();
    const seen: string[][] = [];
    await Promise.all([update('1'), update('2', () => { seen.push([...heard]); return false; })]);
    expect(sent).toEqual([['1', '2'], ['1'], ['2']]);
    expect(seen.at(-1)).toEqual(['1']);
    expect(heard).toEqual(['1', '2']);
  });

  it('leaves out what was overtaken since the first sending', async () => {
    const { sent, heard, update } = halves();
    const [first, second] = await Promise.all([update('1'), update('2', () => heard.length > 0)]);
    expect([first.ok, second]).toEqual([true, expect.objectContaining({ code: 'superseded' })]);
    expect(sent).toEqual([['1', '2'], ['1']]);
  });
});

test('a merged record is found by its old id, also in a batch with others', async () => {
  const record = (id: string, merged: string | null) => ({
    id,
    properties: { hs_merged_object_ids: merged },
    archived: false,
    createdAt: '',
    updatedAt: '',
  });
  const client: Partial<CrmClient> = {
    batchRead: () => Promise.resolve(answered({ results: [record('9', '7;8'), record('5', null)], errors: [] })),
  };
  const activity = createActivity();
  const calls = createRecordCalls(fakeSession(client), activity, noWriteCaps);
  const read = (value: string) => {
    activity.enter();
    return calls.read('contacts', null, [], { unit: testContext(), value }).finally(() => activity.leave());
  };
  const found = await Promise.all(['5', '8', '6'].map(read));
  expect(found.map((answer) => (answer.ok ? (answer.value?.id ?? null) : answer.code))).toEqual(['5', '9', null]);
});

test('when one unit of a waiting batch loses its partition, the others are sent', async () => {
  const sent: string[][] = [];
  const search: CrmClient['search'] = (_access, _type, { filterGroups: [group] }) => {
    sent.push(group!.filters[0]!.values ?? [group!.filters[0]!.value!]);
    return Promise.resolve(answered({ results: [], total: 0, after: null }));
  };
  const activity = createActivity();
  const calls = createRecordCalls(fakeSession({ search }), activity, noWriteCaps);
  const ask = (value: string) => {
    activity.enter();
    const unit = testContext(1n, { owned: () => value !== 'b' });
    return calls.search('deals', 'dealname', [], { unit, value }).finally(() => activity.leave());
  };
  const found = await Promise.all(['a', 'b', 'c'].map(ask));
  expect(found).toMatchObject([{ ok: true }, { ok: false, code: 'lease_lost' }, { ok: true }]);
  expect(sent).toEqual([['a', 'c']]);
});

test('each input of a batch has its own trace id: results that show other ids are matched to their inputs by it', async () => {
  const batchUpdate: CrmClient['batchUpdate'] = (_access, _type, inputs) => {
    const results = inputs.map(({ id, traceId }) => ({
      id: `survivor of ${id}`, properties: {}, archived: false, createdAt: '', updatedAt: '', traceId,
    }));
    return Promise.resolve(answered({ results: results.reverse(), errors: [] }));
  };
  const activity = createActivity();
  const calls = createRecordCalls(fakeSession({ batchUpdate }), activity, noWriteCaps);
  const update = (id: string) => {
    activity.enter();
    return calls.update('contacts', { unit: testContext(), id, properties: {} }).finally(() => activity.leave());
  };
  const updated = await Promise.all(['5', '6', '7'].map(update));
  expect(updated.map((answer) => answer.ok && answer.value.id)).toEqual(['survivor of 5', 'survivor of 6', 'survivor of 7']);
});
