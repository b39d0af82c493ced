import { type CrmAssociationType, monotonicClock } from '@sluice/ports';
import { createActivity } from '../batching/activity';
import { createSingleTypes } from '../session/association-limits';
import { removeOtherAssociations } from './remove-other-associations';
import { answered, fakeSession } from '../test-support/fake-session';
import { testContext } from '../test-support/test-context';

const plain: CrmAssociationType = { category: 'HUBSPOT_DEFINED', typeId: 279, label: null };
const label = (typeId: number, text: string | null, category: CrmAssociationType['category'] = 'USER_DEFINED') =>
  ({ category, typeId, label: text }) satisfies CrmAssociationType;

/**
 * A contact whose companies are replaced.
 * @param limits how many partners it may have, by type
 * @param merged ids of companies that were merged, with that of the one that remains
 */
function lab(
  companies: Record<string, CrmAssociationType[]>, limits: Record<number, number> = {}, merged: Record<string, string> = {},
) {
  const asked: string[] = [];
  const removed: string[] = [];
  const session = fakeSession({
    batchReadAssociations: async () =>
      answered([{ fromId: '1', to: Object.entries(companies).map(([id, types]) => ({ id, types })) }]),
    associationLimits: async () => {
      asked.push('limits');
      return answered(
        Object.entries(limits).map(([typeId, max]) => ({ category: 'USER_DEFINED' as const, typeId: Number(typeId), max })),
      );
    },
    batchArchiveAssociations: async (_access, _from, _to, [input]) => {
      removed.push(...input!.toIds);
      return answered(null);
    },
  });
  const target = (externalId: string | null, objectType: string) =>
    ({ entity: 'e', objectType, identityProperty: 'p', identityValue: null, externalId });
  const parts = { activity: createActivity(), singleTypes: createSingleTypes(monotonicClock(() => 0)) };
  const replace = (...list: string[]) =>
    removeOtherAssociations(parts, session, {
      unit: testContext(1n),
      fromId: '1',
      records: {
        read: async (_type, _property, _properties, { value }) => {
          asked.push(`record ${value}`);
          const id = merged[value] ?? value;
          return { ok: true, value: { id, properties: {}, createdAt: '', updatedAt: '', archived: false } };
        },
      },
      request: { from: target('c', 'contacts'), to: list.map((id) => target(id, 'companies')), toObjectType: 'companies' },
      resolve: async ({ externalId }) => ({ ok: true, value: externalId }),
    });
  return { replace, removed, asked };
}

describe('replace removes the associations that the list does not contain', () => {
  it('but none of a primary type, with any label', async () => {
    const { replace, removed } = lab({
      7: [plain],
      8: [plain, label(1, 'Primary', 'HUBSPOT_DEFINED')],
      9: [plain, label(1, 'Haupt', 'HUBSPOT_DEFINED')],
    });
    expect(await replace()).toEqual({ ok: true, value: 1 });
    expect(removed).toEqual(['7']);
  });

  it('but none of a type by which a record may have one partner only', async () => {
    const companies = { 7: [plain], 8: [plain, label(2001, 'Owner')], 9: [plain, label(2002, 'Site')] };
    const { replace, removed } = lab(companies, { 2001: 1, 2002: 5 });
    expect(await replace()).toEqual({ ok: true, value: 2 });
    expect(removed).toEqual(['7', '9']);
  });

  it('reads limits only when there is something to remove, and once for many', async () => {
    const { replace, asked } = lab({ 7: [plain] });
    await replace('7');
    expect(asked).toEqual([]);
    await replace();
    await replace('8');
    expect(asked).toEqual(['limits', 'record 8']);
  });

  it('but not that of a record which the mapping has under the id that it had before a merge', async () => {
    const { replace, removed, asked } = lab({ 7: [plain], 8: [plain], 9: [plain] }, {}, { 5: '8' });
    expect(await replace('5', '7')).toEqual({ ok: true, value: 1 });
    expect(removed).toEqual(['9']);
    expect(asked).toEqual(['record 5', 'limits']);
  });
});
