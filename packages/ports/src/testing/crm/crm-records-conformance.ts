import type { CrmRecords } from '../../crm/crm-records';
import type { PropertyValue, RecordTarget } from '@sluice/contracts';
import type { AssociateRequest } from '../../crm/record-association';
import type { FindRequest } from '../../crm/found-record';
import type { RecordWrite } from '../../crm/record-write';
import type { CallResult } from '../../crm/call-result';

type Kind = 'contacts' | 'deals';

/** What the suite needs of an implementation: one unit's view of an empty CRM, and a look at that CRM. */
export interface CrmRecordsLab {
  crm: CrmRecords;
  /** A record somebody else made; answers its id. */
  add(objectType: Kind, properties: Record<string, string>): Promise<string>;
  /** Somebody deletes a record. */
  remove(objectType: Kind, id: string): Promise<void>;
  /** What is there now. */
  records(objectType: Kind): Promise<{ crm_id: string; properties: Record<string, string> }[]>;
  /** Associated pairs by CRM ids, contact first. */
  links(): Promise<[contact: string, deal: string][]>;
}

/** Contacts are known by a unique property, deals by one that has to be searched. */
const customer = (externalId: string | null, email: string | null): RecordTarget => ({
  entity: 'customer',
  objectType: 'contacts',
  identityProperty: 'email',
  identityValue: email,
  externalId,
});
const order = (externalId: string | null, number: string | null = externalId): RecordTarget => ({
  entity: 'order',
  objectType: 'deals',
  identityProperty: 'description',
  identityValue: number,
  externalId,
});
const save = (
  target: RecordTarget,
  properties: Record<string, PropertyValue> = {},
  more: Partial<RecordWrite> = {},
): RecordWrite => {
  const identity = target.identityValue === null ? {} : { [target.identityProperty!]: target.identityValue };
  const needed: Record<string, string> =
    target.objectType === 'deals' ? { dealname: 'D', dealstage: 'appointmentscheduled' } : {};
  return { ...target, properties: { ...needed, ...identity, ...properties }, ...more };
};
const link = (from: RecordTarget, to: RecordTarget[], more: Partial<AssociateRequest> = {}): AssociateRequest => ({
  from,
  to,
  toObjectType: 'deals',
  ...more,
});

function valueOf<T>(answer: CallResult<T>): T {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.value;
}

/**
 * What a flow step may rely on when it asks for records of the CRM, whoever answers. Call it at the top level of a test file.
 * @param makeLab called before each test
 */
export function crmRecordsConformance(name: string, makeLab: () => Promise<CrmRecordsLab>): void {
  describe(`${name} keeps records of the CRM`, () => {
    let lab: CrmRecordsLab;
    beforeEach(async () => {
      lab = await makeLab();
    });
    const upsert = async (write: RecordWrite) => valueOf(await lab.crm.upsert(write));
    const made = async (write: RecordWrite): Promise<string> => (await upsert(write)).crm_id!;
    const created = { created: true, updated: false, skipped: false, reason: null };
    const updated = { created: false, updated: true, skipped: false, reason: null };
    const held = async (objectType: Kind, ...properties: string[]) =>
      (await lab.records(objectType)).map((record) => properties.map((property) => record.properties[property] ?? null));

    it.each([customer('C-1', 'a@x.co'), order('N-1')])(
      'creates what is not there, then updates it, changed or not (%j)',
      async (target) => {
        const first = await upsert(save(target));
        expect(first).toEqual({ ...created, crm_id: expect.any(String) });
        expect(await upsert(save(target))).toEqual({ ...updated, crm_id: first.crm_id });
        expect((await lab.records(target.objectType as Kind)).map(({ crm_id }) => crm_id)).toEqual([first.crm_id]);
      },
    );

    it('finds what others made by its identity value, without regard to case', async () => {
      const [contact, deal] = [
        await lab.add('contacts', { email: 'a@x.co', city: 'Rome' }),
        await lab.add('deals', { dealname: 'D', dealstage: 'appointmentscheduled', description: 'N-1' }),
      ];
      expect(await upsert(save(customer('C-1', 'A@x.co'), { firstname: 'Ann' }))).toEqual({ ...updated, crm_id: contact });
      expect(await upsert(save(order('n-1'), { dealname: 'E' }))).toEqual({ ...updated, crm_id: deal });
      expect(await held('contacts', 'email', 'firstname', 'city')).toEqual([['a@x.co', 'Ann', 'Rome']]);
      expect(await held('deals', 'dealname')).toEqual([['E']]);
    });

    it.each([
      [customer('C-1', 'a@x.co'), customer('C-1', 'b@x.co')],
      [order('N-1'), order('N-1', 'N-2')],
    ])('follows the external id when the identity value changes (%j, %j)', async (before, after) => {
      const id = await made(save(before));
      expect(await upsert(save(after))).toEqual({ ...updated, crm_id: id });
      expect(await held(before.objectType as Kind, before.identityProperty!)).toEqual([[after.identityValue]]);
    });

    it('needs no external id, and clears what is null', async () => {
      const id = await made(save(customer(null, 'a@x.co'), { city: 'Rome', firstname: 'Ann' }));
      expect(await upsert(save(customer(null, 'a@x.co'), { city: null }))).toEqual({ ...updated, crm_id: id });
      expect(await held('contacts', 'city', 'firstname')).toEqual([[null, 'Ann']]);
    });

    it('refuses a record it cannot identify', async () => {
      const refused = { ok: false, kind: 'permanent', code: 'identity_missing' };
      expect(await lab.crm.upsert(save(customer('C-1', null), { city: 'Rome' }))).toMatchObject(refused);
      expect(await lab.crm.upsert(save({ ...customer('C-1', null), identityProperty: null }, { city: 'Rome' }))).toMatchObject(
        refused,
      );
      expect(await lab.records('contacts')).toEqual([]);
      const id = await made(save(customer('C-2', 'a@x.co')));
      expect(await upsert(save(customer('C-2', null), { city: 'Rome' }))).toEqual({ ...updated, crm_id: id });
    });

    it('leaves a deleted record deleted, and makes it anew only when told to', async () => {
      const id = await made(save(customer('C-1', 'a@x.co')));
      await lab.remove('contacts', id);
      expect(await lab.crm.upsert(save(customer('C-1', 'a@x.co')))).toMatchObject({
        ok: false,
        kind: 'permanent',
        code: 'target_deleted',
      });
      expect(await lab.records('contacts')).toEqual([]);
      const anew = await upsert(save(customer('C-1', 'a@x.co'), {}, { onTargetDeleted: 'recreate' }));
      expect([anew.created, anew.crm_id === id]).toEqual([true, false]);
    });

    it('refuses to change more of the guarded properties than allowed, on records that are there', async () => {
      const guard = { properties: ['firstname', 'city'], max_changed: 1 };
      const write = (properties: Record<string, string>) => save(customer('C-1', 'a@x.co'), properties, { guard });
      await made(write({ firstname: 'Ann', city: 'Rome' }));
      expect(await lab.crm.upsert(write({ firstname: 'Bob', city: 'Oslo' }))).toMatchObject({
        ok: false,
        kind: 'permanent',
        code: 'identity_guard',
      });
      expect(await held('contacts', 'firstname', 'city')).toEqual([['Ann', 'Rome']]);
      expect((await lab.crm.upsert(write({ firstname: 'Ann', city: 'Oslo' }))).ok).toBe(true);
    });

    it('finds by equal values, counts, and shows what was asked for', async () => {
      const deal = { dealname: 'D', dealstage: 'appointmentscheduled' };
      const [one] = [
        await lab.add('deals', { ...deal, description: 'x', hs_next_step: 'p' }),
        await lab.add('deals', { ...deal, description: 'x' }),
      ];
      const find = async (match: Record<string, PropertyValue>) =>
        valueOf(await lab.crm.find({ objectType: 'deals', match, properties: ['dealname', 'amount'] }));
      expect(await find({ description: 'X' })).toEqual({
        count: 2,
        record: { crm_id: one, properties: { dealname: 'D', amount: null } },
      });
      expect(await find({ description: 'x', hs_next_step: 'p' })).toMatchObject({ count: 1, record: { crm_id: one } });
      const nothing: Record<string, PropertyValue>[] = [{ description: 'y' }, { description: null }, { description: ' ' }, {}];
      for (const match of nothing) expect(await find(match)).toEqual({ record: null, count: 0 });
    });

    it('finds with exactly the properties asked for, null for those without a value, however the record is found', async () => {
      const id = await made(save(customer('C-1', 'a@x.co')));
      const asked = ['city', 'email', 'city'];
      const record = { crm_id: id, properties: { city: null, email: 'a@x.co' } };
      const through = { entity: 'customer', externalId: 'C-1' };
      const ways: Pick<FindRequest, 'match' | 'through'>[] = [
        { match: { email: 'a@x.co' } }, { match: { hs_object_id: id } }, { match: {}, through },
      ];
      for (const way of ways) {
        const found = async (properties: string[]) =>
          valueOf(await lab.crm.find({ objectType: 'contacts', ...way, properties }));
        expect(await found(asked)).toEqual({ count: 1, record });
        expect(await found([])).toEqual({ count: 1, record: { crm_id: id, properties: {} } });
      }
    });

    it('finds through the identity map', async () => {
      const id = await made(save(customer('C-1', 'a@x.co')));
      const find = async (externalId: string) =>
        valueOf(
          await lab.crm.find({
            objectType: 'contacts',
            match: {},
            through: { entity: 'customer', externalId },
            properties: ['email'],
          }),
        );
      expect(await find('C-1')).toMatchObject({ count: 1, record: { crm_id: id, properties: { email: 'a@x.co' } } });
      expect(await find('C-2')).toEqual({ record: null, count: 0 });
    });

    it('associates by external id or identity value, and leaves out what nobody named', async () => {
      const contact = await made(save(customer('C-1', 'a@x.co')));
      const mapped = await made(save(order('N-1')));
      const found = await lab.add('deals', { dealname: 'D', dealstage: 'appointmentscheduled', description: 'N-2' });
      const answer = valueOf(
        await lab.crm.associate(link(customer('C-1', null), [order('N-1', null), order('N-2'), order(null, null)])),
      );
      expect(answer).toEqual({
        associated: 2,
        failed: 0,
        skipped: 1,
        removed: 0,
        results: [
          { to_external_id: 'N-1', status: 'associated', error: null },
          { to_external_id: 'N-2', status: 'associated', error: null },
          { to_external_id: null, status: 'skipped', error: null },
        ],
      });
      expect((await lab.links()).sort()).toEqual([[contact, mapped], [contact, found]].sort());
      expect(valueOf(await lab.crm.associate(link(customer(null, null), [order('N-1')])))).toMatchObject({
        associated: 0,
        skipped: 1,
      });
    });

    it('steps aside for a record that is still to come', async () => {
      await made(save(customer('C-1', 'a@x.co')));
      const aside = { ok: false, kind: 'transient', code: 'related_record_not_synced', stepsAside: true };
      expect(await lab.crm.associate(link(customer('C-1', 'a@x.co'), [order('N-1')]))).toMatchObject(aside);
      expect(await lab.crm.associate(link(customer('C-2', 'b@x.co'), [order('N-1')]))).toMatchObject(aside);
      expect(await lab.links()).toEqual([]);
    });

    it('replaces what was associated with what the list contains', async () => {
      const contact = await made(save(customer('C-1', 'a@x.co')));
      const [one, two, three] = [await made(save(order('N-1'))), await made(save(order('N-2'))), await made(save(order('N-3')))];
      valueOf(await lab.crm.associate(link(customer('C-1', 'a@x.co'), [order('N-1'), order('N-2')])));
      expect(
        valueOf(await lab.crm.associate(link(customer('C-1', 'a@x.co'), [order('N-2'), order('N-3')], { replace: true }))),
      ).toMatchObject({ associated: 2, removed: 1 });
      expect((await lab.links()).sort()).toEqual([[contact, two], [contact, three]].sort());
      expect(one).not.toBe(two);
      expect(valueOf(await lab.crm.associate(link(customer('C-1', 'a@x.co'), [], { replace: true })))).toMatchObject({
        associated: 0,
        removed: 2,
      });
      expect(await lab.links()).toEqual([]);
    });
  });
}
