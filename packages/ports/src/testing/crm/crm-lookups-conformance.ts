import type { RecordTarget } from '@sluice/contracts';
import type { RecordWrite } from '../../crm/record-write';
import type { CallResult } from '../../crm/call-result';
import type { QueryRequest } from '../../crm/crm-lookups';
import type { CrmRecordsLab } from './crm-records-conformance';

const customer = (email: string, externalId: string): RecordTarget => ({
  entity: 'customer', objectType: 'contacts', identityProperty: 'email', identityValue: email, externalId,
});
const order = (number: string): RecordTarget => ({
  entity: 'order', objectType: 'deals', identityProperty: 'description', identityValue: number, externalId: number,
});
const dealFields = { dealname: 'D', dealstage: 'appointmentscheduled' };
const write = (target: RecordTarget, properties: Record<string, string> = {}): RecordWrite => ({
  ...target,
  properties: {
    ...(target.objectType === 'deals' && dealFields), [target.identityProperty!]: target.identityValue!, ...properties,
  },
});

function valueOf<T>(answer: CallResult<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value;
}

/** What a flow step may rely on when it queries, follows associations, or updates without creating. */
export function crmLookupsConformance(name: string, makeLab: () => Promise<CrmRecordsLab>): void {
  describe(`${name} looks up and updates records of the CRM`, () => {
    let lab: CrmRecordsLab;
    beforeEach(async () => {
      lab = await makeLab();
    });
    const contact = (email: string, more: Record<string, string> = {}) => lab.add('contacts', { email, ...more });
    const everyContact = { objectType: 'contacts', filterGroups: [], properties: [], sorts: [], limit: 100 };
    const query = async (request: Partial<QueryRequest>) => valueOf(await lab.crm.query({ ...everyContact, ...request }));
    const firstNames = async () => (await lab.records('contacts')).map(({ properties }) => properties.firstname ?? null);
    const skipped = (reason: string) => ({ crm_id: null, created: false, updated: false, skipped: true, reason });

    it('queries by groups of conditions, with the properties asked for', async () => {
      const ada = await contact('ada@example.com', { firstname: 'Ada', city: 'Graz' });
      const bob = await contact('bob@example.com', { firstname: 'Bob' });
      await contact('cy@example.com', { firstname: 'Cy' });
      // Only one of the conditions of a group holds.
      await contact('other@example.com', { firstname: 'Ada' });
      const answer = await query({
        filterGroups: [
          [{ property: 'firstname', operator: 'EQ', value: 'Ada' }, { property: 'city', operator: 'HAS_PROPERTY' }],
          [{ property: 'email', operator: 'EQ', value: 'bob@example.com' }],
        ],
        properties: ['firstname', 'city'],
      });
      expect(answer.total).toBe(2);
      expect(answer.rows).toHaveLength(2);
      expect(answer.rows.find((row) => row.crm_id === ada)?.properties).toEqual({ firstname: 'Ada', city: 'Graz' });
      expect(answer.rows.find((row) => row.crm_id === bob)?.properties).toEqual({ firstname: 'Bob', city: null });
    });

    it('finds the values of a list whatever their case', async () => {
      for (const name of ['Ada', 'BOB', 'Cy']) await contact(`${name}@example.com`, { firstname: name });
      const filterGroups = [[{ property: 'firstname', operator: 'IN', values: ['ADA', 'Bob'] }]];
      expect((await query({ filterGroups })).total).toBe(2);
    });

    it('follows pages up to the limit and counts what is beyond', async () => {
      for (let index = 0; index < 230; index += 1) await contact(`c${index}@example.com`);
      const all = await query({ limit: 1_000 });
      expect(new Set(all.rows.map((row) => row.crm_id)).size).toBe(230);
      const some = await query({ limit: 205 });
      expect([some.rows.length, some.total]).toEqual([205, 230]);
    });

    it('gives the records that one is associated with, from both ends', async () => {
      const ada = await contact('ada@example.com', { firstname: 'Ada' });
      const deals = [];
      for (const number of ['A-1', 'A-2']) deals.push(valueOf(await lab.crm.upsert(write(order(number)))).crm_id!);
      const to = [order('A-1'), order('A-2')];
      valueOf(await lab.crm.associate({ from: customer('ada@example.com', 'C-1'), to, toObjectType: 'deals' }));
      const asked = { objectType: 'contacts', crmId: ada, toObjectType: 'deals', properties: ['description'] };
      const found = valueOf(await lab.crm.associated(asked));
      expect(found.map(({ crm_id: id }) => id).sort()).toEqual([...deals].sort());
      expect(found.map(({ properties }) => properties.description).sort()).toEqual(['A-1', 'A-2']);
      expect(valueOf(await lab.crm.associated({ ...asked, limit: 1 }))).toHaveLength(1);
      const back = { objectType: 'deals', crmId: deals[0]!, toObjectType: 'contacts', properties: ['firstname'] };
      expect(valueOf(await lab.crm.associated(back))).toMatchObject([{ crm_id: ada, properties: { firstname: 'Ada' } }]);
      expect(valueOf(await lab.crm.associated({ ...asked, crmId: await contact('bob@example.com') }))).toEqual([]);
    });

    it('updates the record of an identity value and maps it, so that the id leads there although the value changes', async () => {
      const ada = await contact('ada@example.com', { firstname: 'A' });
      const updated = { crm_id: ada, created: false, updated: true, skipped: false, reason: null };
      const target = customer('ada@example.com', 'C-1');
      expect(valueOf(await lab.crm.update(write(target, { firstname: 'Ada' })))).toEqual(updated);
      const moved = customer('ada@new.example.com', 'C-1');
      expect(valueOf(await lab.crm.update(write(moved, { firstname: 'Augusta' })))).toEqual(updated);
      expect(await lab.records('contacts')).toMatchObject([{ crm_id: ada, properties: { email: 'ada@new.example.com' } }]);
    });

    it('never creates: without a record an update is skipped', async () => {
      expect(valueOf(await lab.crm.update(write(customer('ada@example.com', 'C-1'))))).toEqual(skipped('record_not_found'));
      expect(await lab.records('contacts')).toEqual([]);
    });

    it('does not bring a deleted record back: it moves to another of the same identity, else it is skipped', async () => {
      const target = customer('ada@example.com', 'C-1');
      const first = valueOf(await lab.crm.upsert(write(target, { firstname: 'Ada' }))).crm_id!;
      await lab.remove('contacts', first);
      const gone = await lab.crm.update({ ...write(target, { firstname: 'B' }), onTargetDeleted: 'recreate' });
      expect(valueOf(gone)).toEqual(skipped('target_deleted'));
      const second = await contact('ada@example.com');
      expect(valueOf(await lab.crm.update(write(target, { firstname: 'C' })))).toMatchObject({ crm_id: second, updated: true });
      expect(await firstNames()).toEqual(['C']);
    });

    it('updates by id, and fails for good where there is no such record', async () => {
      const ada = await contact('ada@example.com');
      const request = { objectType: 'contacts', crmId: ada, properties: { firstname: 'Ada' } };
      expect(valueOf(await lab.crm.updateById(request))).toMatchObject({ crm_id: ada, updated: true, skipped: false });
      expect(await firstNames()).toEqual(['Ada']);
      const missing = await lab.crm.updateById({ ...request, crmId: '999999999' });
      expect(missing).toMatchObject({ ok: false, kind: 'permanent', code: 'crm_not_found' });
    });
  });
}
