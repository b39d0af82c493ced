import type { CrmBatchAnswer, CrmRecord, CrmResult } from '@sluice/ports';
import { matchBatch, runBatch } from './batch-outcome';

const record = (id: string, more: Partial<CrmRecord> = {}): CrmRecord => ({
  id,
  properties: {},
  archived: false,
  createdAt: '',
  updatedAt: '',
  ...more,
});
const inputs = Array.from({ length: 8 }, (_, index) => ({ traceId: `t${index}`, id: String(index) }));
const keys = { ofInput: (input: { id: string }) => input.id, ofResult: (found: CrmRecord) => found.id };

/** A CRM that fails every batch with record 5 in it; `all`: every batch. */
function failing(
  status: number,
  kind: 'transient' | 'permanent',
  all = false,
): { send(part: readonly { id: string; traceId: string }[]): Promise<CrmResult<CrmBatchAnswer>>; calls: number[] } {
  const calls: number[] = [];
  return {
    calls,
    send: (part) => {
      calls.push(part.length);
      if (all || part.some((input) => input.id === '5'))
        return Promise.resolve({ ok: false, kind, code: 'crm_rejected', message: 'no', status });
      return Promise.resolve({
        ok: true,
        value: { results: part.map((input) => record(input.id, { traceId: input.traceId })), errors: [] },
        status: 200,
      });
    },
  };
}

describe('runBatch', () => {
  const run = (crm: ReturnType<typeof failing>, splitTransient: boolean): Promise<boolean[]> =>
    runBatch(inputs, { send: crm.send, match: (part, value) => matchBatch(part, value, keys), splitTransient }).then((results) =>
      results.map((result) => result.ok),
    );

  it('halves a refused batch until the bad record is alone', async () => {
    expect(await run(failing(400, 'permanent'), false)).toEqual([true, true, true, true, true, false, true, true]);
  });

  it('does not split a batch that failed transiently, unless it may be split', async () => {
    const crm = failing(500, 'transient');
    expect(await run(crm, false)).toEqual(inputs.map(() => false));
    expect(crm.calls).toEqual([8]);
    expect(await run(failing(500, 'transient'), true)).toEqual([true, true, true, true, true, false, true, true]);
  });

  it('needs three calls to see that the CRM is down', async () => {
    const crm = failing(503, 'transient', true);
    expect(await run(crm, true)).toEqual(inputs.map(() => false));
    expect(crm.calls).toEqual([8, 4, 4]);
  });

  it('never splits a rate-limited batch', async () => {
    const crm = failing(429, 'transient');
    await run(crm, true);
    expect(crm.calls).toEqual([8]);
  });
});

describe('matchBatch', () => {
  it('matches by trace id, else by key, never by position', () => {
    const results = matchBatch(
      inputs.slice(0, 3),
      {
        results: [record('survivor', { traceId: 't2' }), record('0')],
        errors: [{ category: 'VALIDATION_ERROR', subCategory: null, message: 'bad', traceIds: ['t1'], ids: [], context: {} }],
      },
      keys,
    );
    expect(results.map((result) => (result.ok ? result.value.id : result.kind))).toEqual(['0', 'permanent', 'survivor']);
  });

  it('treats a record that the answer does not mention as a transient failure', () => {
    expect(matchBatch(inputs.slice(0, 1), { results: [], errors: [] }, keys)).toMatchObject([
      { ok: false, kind: 'transient', code: 'crm_answer_incomplete' },
    ]);
  });

  it('maps errors that name ids, and gives an error without ids to the records without an answer', () => {
    const missing = { category: 'OBJECT_NOT_FOUND', subCategory: null, message: 'gone', traceIds: [], ids: ['0'], context: {} };
    const nameless = { category: 'VALIDATION_ERROR', subCategory: null, message: 'bad', traceIds: [], ids: [], context: {} };
    const results = matchBatch(inputs.slice(0, 3), { results: [record('1')], errors: [missing, nameless] }, keys);
    expect(results).toMatchObject([{ code: 'crm_not_found' }, { ok: true }, { code: 'crm_rejected' }]);
  });
});
