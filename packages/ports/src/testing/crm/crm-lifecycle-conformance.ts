import type { PropertyValue, RecordTarget } from '@sluice/contracts';
import type { RecordWrite } from '../../crm/record-write';
import type { CallResult } from '../../crm/call-result';
import type { CrmRecordsLab } from './crm-records-conformance';

const customer = (externalId: string | null, email: string | null): RecordTarget => ({
  entity: 'customer',
  objectType: 'contacts',
  identityProperty: 'email',
  identityValue: email,
  externalId,
});
/** Of a property that the CRM does not keep unique. */
const order = (externalId: string | null, number = externalId): RecordTarget => ({
  entity: 'order',
  objectType: 'deals',
  identityProperty: 'description',
  identityValue: number,
  externalId,
});
const write = (target: RecordTarget, properties: Record<string, PropertyValue> = {}): RecordWrite => {
  const deal: Record<string, PropertyValue> =
    target.objectType === 'deals' ? { dealname: 'D', dealstage: 'appointmentscheduled' } : {};
  return { ...target, properties: { ...deal, [target.identityProperty!]: target.identityValue, ...properties } };
};

function valueOf<T>(answer: CallResult<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value;
}

const both = [
  ['kept unique by the CRM', customer('C-1', 'a@x.co')],
  ['that the CRM does not keep unique', order('N-1')],
] as const;

/**
 * How records and identities begin and end, whoever answers. Call it at the top level of a test file.
 * @param makeLab called before each test
 */
export function crmLifecycleConformance(name: string, makeLab: () => Promise<CrmRecordsLab>): void {
  describe(`${name} begins and ends records`, () => {
    let lab: CrmRecordsLab;
    beforeEach(async () => {
      lab = await makeLab();
    });
    const create = async (target: RecordTarget, properties: Record<string, PropertyValue> = {}) =>
      valueOf(await lab.crm.create(write(target, properties)));
    const upsert = async (target: RecordTarget, properties: Record<string, PropertyValue> = {}) =>
      valueOf(await lab.crm.upsert(write(target, properties)));
    const remove = async (target: RecordTarget) => valueOf(await lab.crm.remove(target));
    const ids = async (target: RecordTarget) =>
      (await lab.records(target.objectType as 'contacts' | 'deals')).map(({ crm_id: id }) => id);

    createTests();
    removeTests();
    dissociateTests();
    promoteTests();

    function createTests(): void {
      it.each(both)('creates a record of an identity %s, and only once', async (_, target) => {
        const first = await create(target);
        expect(first).toEqual({ crm_id: expect.any(String), created: true, updated: false, skipped: false, reason: null });
        expect(await create(target)).toMatchObject({
          crm_id: first.crm_id,
          created: false,
          skipped: true,
          reason: 'already_mapped',
        });
        expect(await ids(target)).toEqual([first.crm_id]);
      });

      it.each(both)('leaves a record that is there as it is, and does not map it: an identity %s', async (_, target) => {
        const email = target.identityProperty === 'email';
        const properties: Record<string, string> = email
          ? { email: 'a@x.co' }
          : { dealname: 'Old', dealstage: 'appointmentscheduled', description: 'N-1' };
        const type = target.objectType as 'contacts' | 'deals';
        const id = await lab.add(type, properties);
        const answer = await create(target, email ? { firstname: 'Ann' } : {});
        expect(answer).toEqual({ crm_id: id, created: false, updated: false, skipped: true, reason: 'already_exists' });
        expect((await lab.records(type)).map((record) => record.properties)).toEqual([expect.objectContaining(properties)]);
        const { entity, externalId } = target;
        const through = { entity, externalId: externalId! };
        const found = valueOf(await lab.crm.find({ objectType: type, match: {}, through, properties: [] }));
        expect(found).toEqual({ record: null, count: 0 });
      });

      it('trusts the mapping: the record may be gone', async () => {
        const { crm_id: id } = await create(customer('C-1', 'a@x.co'));
        await lab.remove('contacts', id!);
        expect(await create(customer('C-1', 'a@x.co'))).toMatchObject({ skipped: true, reason: 'already_mapped' });
        expect(await lab.records('contacts')).toEqual([]);
      });

      it('needs an identity', async () => {
        expect(await lab.crm.create(write(customer('C-1', null)))).toMatchObject({ ok: false, code: 'identity_missing' });
      });
    }

    function removeTests(): void {
      const gone = { deleted: true, already_absent: false, skipped: false, reason: null };
      it.each(both)('deletes the record with its mapping: an identity %s', async (_, target) => {
        const { crm_id: id } = await upsert(target);
        expect(await remove(target)).toEqual({ ...gone, crm_id: id });
        expect(await ids(target)).toEqual([]);
        const { entity, externalId, objectType } = target;
        const through = { entity, externalId: externalId! };
        expect(valueOf(await lab.crm.find({ objectType, match: {}, through, properties: [] }))).toMatchObject({ record: null });
      });

      it('lets a later event make the record anew', async () => {
        const target = customer('C-1', 'a@x.co');
        const { crm_id: id } = await upsert(target);
        await remove(target);
        const again = await upsert(target);
        expect([again.created, again.crm_id === id]).toEqual([true, false]);
        expect(await ids(target)).toEqual([again.crm_id]);
      });

      it.each(both)('deletes a record that others made by its identity value: an identity %s', async (_, target) => {
        const type = target.objectType as 'contacts' | 'deals';
        const { properties } = write(target);
        const id = await lab.add(type, properties as Record<string, string>);
        expect(await remove(target)).toEqual({ ...gone, crm_id: id });
        expect(await ids(target)).toEqual([]);
      });

      it('has nothing to delete twice, and removes the mapping of a record that was deleted in the CRM', async () => {
        const target = customer('C-1', 'a@x.co');
        const { crm_id: id } = await upsert(target);
        await lab.remove('contacts', id!);
        expect(await remove(target)).toEqual({ ...gone, crm_id: id, already_absent: true });
        const nothing = { deleted: false, already_absent: false, skipped: true, reason: 'record_not_found' };
        expect(await remove(target)).toEqual({ ...nothing, crm_id: null });
        expect(await upsert(target)).toMatchObject({ created: true });
      });
    }

    function dissociateTests(): void {
      const pair = (to: RecordTarget[]) => ({ from: customer('C-1', null), to, toObjectType: 'deals' });
      it('removes the associations it names and no others', async () => {
        await upsert(customer('C-1', 'a@x.co'));
        const [one, two] = [await upsert(order('N-1')), await upsert(order('N-2'))];
        valueOf(await lab.crm.associate(pair([order('N-1'), order('N-2')])));
        expect((await lab.links()).length).toBe(2);
        const answer = await lab.crm.dissociate(pair([order('N-1'), order('N-9'), order(null)]));
        expect(answer).toEqual({
          ok: true,
          value: {
            removed: 1,
            failed: 0,
            skipped: 2,
            results: [
              { to_external_id: 'N-1', status: 'removed', error: null },
              { to_external_id: 'N-9', status: 'skipped', error: null },
              { to_external_id: null, status: 'skipped', error: null },
            ],
          },
        });
        expect((await lab.links()).map(([, to]) => to)).toEqual([two.crm_id]);
        expect(await ids(order('N-1'))).toEqual([one.crm_id, two.crm_id]);
      });

      it('has nothing to do where the record does not exist, and may be repeated', async () => {
        expect(await lab.crm.dissociate(pair([order('N-1')]))).toMatchObject({ ok: true, value: { removed: 0, skipped: 1 } });
        await upsert(customer('C-1', 'a@x.co'));
        await upsert(order('N-1'));
        valueOf(await lab.crm.associate(pair([order('N-1')])));
        for (let round = 0; round < 2; round += 1) expect((await lab.crm.dissociate(pair([order('N-1')]))).ok).toBe(true);
        expect(await lab.links()).toEqual([]);
      });
    }

    function promoteTests(): void {
      const promote = async (target: RecordTarget, crmId: string) => valueOf(await lab.crm.promote({ target, crmId }));
      const promoted = { promoted: true, previous_external_id: null, reason: null, conflict: null };
      it.each([
        ['kept unique by the CRM', customer('a@x.co', 'a@x.co')],
        ['that the CRM does not keep unique', order('N-1')],
      ] as const)('gives a record its identity and its mapping: an identity %s', async (_, target) => {
        const type = target.objectType as 'contacts' | 'deals';
        const id = await lab.add(
          type,
          type === 'contacts' ? { city: 'Rome' } : { dealname: 'D', dealstage: 'appointmentscheduled' },
        );
        expect(await promote(target, id)).toEqual({ ...promoted, crm_id: id });
        expect((await lab.records(type))[0]!.properties).toMatchObject({ [target.identityProperty!]: target.identityValue });
        expect(await promote(target, id)).toMatchObject({
          promoted: false,
          reason: 'already_mapped',
          previous_external_id: target.externalId,
        });
        expect(await upsert(target)).toMatchObject({ created: false, crm_id: id });
      });

      it('keeps its hands off a record with another identity', async () => {
        const id = await lab.add('contacts', { email: 'b@x.co' });
        const answer = await promote(customer('a@x.co', 'a@x.co'), id);
        expect(answer).toMatchObject({ promoted: false, previous_external_id: 'b@x.co', reason: 'identity_conflict' });
        expect(answer.conflict).toContain('b@x.co');
        expect((await lab.records('contacts'))[0]!.properties).toMatchObject({ email: 'b@x.co' });
      });

      it('refuses an identity that another record has', async () => {
        const [holder, id] = [await lab.add('contacts', { email: 'a@x.co' }), await lab.add('contacts', { city: 'Rome' })];
        const answer = await promote(customer('a@x.co', 'a@x.co'), id);
        expect(answer).toMatchObject({ promoted: false, reason: 'identity_conflict' });
        expect(answer.conflict).toContain(holder);
      });

      it('refuses an external id that is mapped to another record', async () => {
        const { crm_id: mapped } = await upsert(order('N-1'));
        const id = await lab.add('deals', { dealname: 'D', dealstage: 'appointmentscheduled' });
        const answer = await promote(order('N-1', 'N-5'), id);
        expect(answer).toMatchObject({ promoted: false, reason: 'identity_conflict' });
        expect(answer.conflict).toContain(mapped);
      });

      it('fails for good where the record does not exist', async () => {
        expect(await lab.crm.promote({ target: order('N-1'), crmId: '999999' })).toMatchObject({
          ok: false,
          code: 'crm_not_found',
        });
      });
    }
  });
}
