import { contactConfig } from '../../../test-support/contact-config';
import { lab } from '../../../test-support/shared-lab';
import { calls, start } from './publish-lab';

/** What a publish creates in the portal before there is a version. */
export function provisioningTests(): void {
  describe('provisioning', () => {
    test('creates groups and properties before the version, never changes what exists, resumes', async () => {
      const { owner, path, draft, publish } = await start({ portalId: 5_000_001 });
      await owner
        .patch(path, { settings: { crm_provisioning: { property_group: 'shop', property_group_label: 'The shop' } } })
        .expect(200);
      const config = structuredClone(contactConfig);
      config.entities[0]!.schemas.crm!.field_mappings!.push({
        source: '$.payload.level',
        target: 'level',
        crm_type: 'enumeration',
        crm_field_type: 'select',
        crm_options: [{ value: 'gold', label: 'Gold' }],
      });
      config.entities.push({
        name: 'order',
        schemas: {
          crm: {
            object_type: 'deals',
            identity: { property: 'order_no' },
            field_mappings: [{ source: '$.payload.total', target: 'amount' }],
          },
        },
      });
      await owner.put(draft, config).expect(200);
      const { provisioned } = (await owner.post(publish).expect(200)).body;
      expect(provisioned).toEqual([
        { entity: 'customer', object_type: 'contacts', created: ['shop_id', 'level'], skipped_existing: ['email'] },
        { entity: 'order', object_type: 'deals', created: ['order_no'], skipped_existing: ['amount'] },
      ]);
      const created = calls(5_000_001, /properties\/(contacts|deals)\/batch\/create/).flatMap(
        (call) => (JSON.parse(call.request!) as { inputs: Record<string, unknown>[] }).inputs,
      );
      expect(created.map(({ name, groupName, hasUniqueValue, label }) => [name, groupName, hasUniqueValue, label])).toEqual([
        ['shop_id', 'shop', undefined, 'Shop id'], ['level', 'shop', undefined, 'Level'], ['order_no', 'shop', true, 'Order no'],
      ]);
      const again = (await owner.post(publish, { force: true }).expect(200)).body.provisioned;
      expect(again.map((entry: { created: string[] }) => entry.created)).toEqual([[], []]);
      const groups = calls(5_000_001, /groups/).map((call) => JSON.parse(call.request!) as { name: string; label: string });
      expect(groups.map(({ name, label }) => [name, label])).toEqual([['shop', 'The shop'], ['shop', 'The shop']]);
    });

    test('a failure is a 422 with errors and what was provisioned; no version appears; a retry resumes', async () => {
      const { owner, path, draft, publish } = await start({ portalId: 5_000_002 });
      const config = structuredClone(contactConfig);
      config.entities.push({
        name: 'thing',
        schemas: {
          crm: {
            object_type: 'companies',
            field_mappings: [{ source: '$.payload.x', target: 'odd', crm_type: 'number', crm_field_type: 'select' }],
          },
        },
      });
      await owner.put(draft, config).expect(200);
      const { detail } = (await owner.post(publish).expect(422)).body;
      expect(detail).toMatchObject({
        code: 'provisioning_failed',
        errors: [{ entity: 'thing', object_type: 'companies', property: 'odd' }],
        provisioned: [
          { entity: 'customer', created: ['shop_id'] },
          { entity: 'thing', created: [] },
        ],
      });
      await owner.get(`${path}/versions/active`).expect(404);
      config.entities[1]!.schemas.crm!.field_mappings![0]!.crm_field_type = 'number';
      await owner.put(draft, config).expect(200);
      expect((await owner.post(publish).expect(200)).body.provisioned).toMatchObject([
        { created: [], skipped_existing: ['email', 'shop_id'] },
        { created: ['odd'] },
      ]);
    });

    test('without a portal it warns; with several and none chosen it refuses', async () => {
      const { owner, draft, publish } = await start();
      await owner.put(draft, contactConfig).expect(200);
      expect((await owner.post(publish).expect(200)).body).toMatchObject({
        version: 1,
        provisioned: [],
        warnings: [{ code: 'connector_has_no_credential', severity: 'warning' }],
      });
      const several = await start({ portalId: 5_000_003 });
      const { accessToken } = lab.simulator.state.addPortal(5_000_004,
        { ...lab.simulator.state.portals.get(1_000_001)!.settings });
      await several.owner
        .post('/api/credentials', { name: 'second', credential_type: 'crm_oauth', data: { access_token: accessToken } })
        .expect(201);
      await several.owner.put(several.draft, contactConfig).expect(200);
      expect((await several.owner.post(several.publish).expect(422)).body.detail.code).toBe('crm_portal_not_bound');
    });

    test('a portal bound later is provisioned for the active version', async () => {
      const { owner, path, draft, publish } = await start();
      await owner.put(draft, contactConfig).expect(200);
      await owner.post(publish).expect(200);
      const { accessToken } = lab.simulator.state.addPortal(5_000_006,
        { ...lab.simulator.state.portals.get(1_000_001)!.settings });
      const credential = (
        await owner
          .post('/api/credentials', { name: 'late', credential_type: 'crm_oauth', data: { access_token: accessToken } })
          .expect(201)
      ).body;
      await owner.patch(path, { credential_id: credential.id }).expect(200);
      expect(calls(5_000_006, /properties\/contacts\/batch\/create/)).toHaveLength(1);
    });

    test('under the review gate something new is created only for the draft that was confirmed', async () => {
      const { owner, draft, publish } = await start({ portalId: 5_000_005 });
      await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { publish_review: true }).expect(200);
      const { draft_version } = (await owner.put(draft, contactConfig).expect(200)).body;
      expect((await owner.post(publish).expect(400)).body.detail).toMatchObject({ code: 'publish_review_required',
        draft_version });
      expect((await owner.post(publish, { review: { draft_version: draft_version - 1 } }).expect(409)).body.detail.code).toBe(
        'publish_review_required',
      );
      await owner.post(publish, { review: { draft_version } }).expect(200);
      await owner.post(publish, { force: true }).expect(200);
    });
  });
}
