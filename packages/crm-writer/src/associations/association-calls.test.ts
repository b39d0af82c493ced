import type { CallResult, CrmClient, CrmItemError, CrmResult } from '@sluice/ports';
import { answered, failed, fakeSession } from '../test-support/fake-session';
import { testContext } from '../test-support/test-context';
import { createActivity } from '../batching/activity';
import { createAssociationCalls } from './association-calls';
import type { AssociationChoice } from '../session/association-types';

type Pair = { fromId: string; toId: string };
type Answer = CrmResult<{ done: number; errors: CrmItemError[] }>;

const itemError = (context: Record<string, string[]>, category = 'VALIDATION_ERROR'): CrmItemError => ({
  category,
  subCategory: null,
  message: 'not allowed',
  traceIds: [],
  ids: [],
  context,
});
const done = (errors: CrmItemError[] = []): Answer => answered({ done: 0, errors });
const fine: CallResult<null> = { ok: true, value: null };
const rejected = { ok: false, kind: 'permanent', code: 'crm_association_rejected', message: 'not allowed' };

/** Requests the associations `1>11`, `2>12`, … at the same time; returns the results and the batches sent. */
async function associate(
  count: number,
  answer: (pairs: Pair[]) => Answer,
  options: { choice?: AssociationChoice; lost?: string } = {},
) {
  const batches: string[][] = [];
  const typed: unknown[] = [];
  const note = (pairs: Pair[]): Promise<Answer> => {
    batches.push(pairs.map(({ fromId }) => fromId));
    return Promise.resolve(answer(pairs));
  };
  const client: Partial<CrmClient> = {
    batchAssociateDefault: (_access, _from, _to, pairs) => note(pairs),
    batchAssociate: (_access, _from, _to, pairs) => {
      typed.push(pairs[0]!.types);
      return note(pairs);
    },
  };
  const activity = createActivity();
  const calls = createAssociationCalls(fakeSession(client), activity);
  const results = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const fromId = String(index + 1);
      const unit = testContext(1n, { owned: () => fromId !== options.lost });
      activity.enter();
      return calls
        .associate('contacts', 'deals', options.choice ?? { kind: 'default' }, { unit, fromId, toId: String(index + 11) })
        .finally(() => activity.leave());
    }),
  );
  return { results, batches, typed };
}

describe('association calls', () => {
  it('write the pairs that are requested at the same time in one call', async () => {
    const { results, batches } = await associate(3, () => done());
    expect(results).toEqual([fine, fine, fine]);
    expect(batches).toEqual([['1', '2', '3']]);
  });

  it('name the type when one was chosen', async () => {
    const { typed } = await associate(1, () => done(), { choice: { kind: 'typed', category: 'USER_DEFINED', typeId: 5 } });
    expect(typed).toEqual([[{ category: 'USER_DEFINED', typeId: 5 }]]);
  });

  it.each([['fromObjectId', '2'], ['toObjectId', '12']])('fail only the pair that an error names (%s)', async (name, id) => {
    const bad = (pairs: Pair[]): boolean => pairs.some(({ fromId }) => fromId === '2');
    const { results, batches } = await associate(4, (pairs) => done(bad(pairs) ? [itemError({ [name]: [id] })] : []));
    expect(results).toEqual([fine, rejected, fine, fine]);
    expect(batches).toEqual([['1', '2', '3', '4'], ['2']]);
  });

  it.each(['RATE_LIMITS', 'INTERNAL_ERROR'])(
    'hold a pair that was refused transiently (%s), without asking again at once',
    async (category) => {
      const { results, batches } = await associate(3, () => done([itemError({ fromObjectId: ['2'] }, category)]));
      expect(results).toEqual([fine, expect.objectContaining({ ok: false, kind: 'transient' }), fine]);
      expect(batches).toEqual([['1', '2', '3']]);
      expect((await associate(1, () => done([itemError({}, category)]))).results).toEqual([
        expect.objectContaining({ ok: false, kind: 'transient' }),
      ]);
    },
  );

  it('fail a pair that both a refusal and a transient error name', async () => {
    const { results } = await associate(2, (pairs) =>
      done(
        pairs.length > 1
          ? [itemError({}, 'INTERNAL_ERROR'), itemError({ fromObjectId: ['1'] })]
          : [itemError({ fromObjectId: ['1'] })],
      ),
    );
    expect(results).toEqual([rejected, expect.objectContaining({ ok: false, kind: 'transient' })]);
  });

  it('ask again one by one when an error names no pair', async () => {
    const { results, batches } = await associate(3, (pairs) =>
      done(pairs.some(({ fromId }) => fromId === '3') ? [itemError({})] : []),
    );
    expect(results).toEqual([fine, fine, rejected]);
    expect(batches).toEqual([['1', '2', '3'], ['1'], ['2'], ['3']]);
  });

  it('halve a batch that is refused as a whole until the bad pair is alone', async () => {
    const { results } = await associate(8, (pairs) =>
      pairs.some(({ fromId }) => fromId === '6') ? failed('permanent', 400, 'crm_conflict') : done(),
    );
    expect(results.map((result) => result.ok)).toEqual([true, true, true, true, true, false, true, true]);
    expect(results[5]).toMatchObject({ kind: 'permanent', code: 'crm_conflict' });
  });

  it.each([['transient', 503], ['fatal', 403]] as const)('leave a batch whole after a %s failure', async (kind, status) => {
    const { results, batches } = await associate(3, () => failed(kind, status));
    expect(results.map((result) => !result.ok && result.kind)).toEqual([kind, kind, kind]);
    expect(batches).toHaveLength(1);
  });

  it('write nothing for a unit whose partition is lost', async () => {
    const { results, batches } = await associate(3, () => done(), { lost: '2' });
    expect(results).toEqual([fine, expect.objectContaining({ ok: false, code: 'lease_lost' }), fine]);
    expect(batches).toEqual([['1', '3']]);
  });
});
