import type { ConfigDocument } from '@sluice/contracts';
import { applyPatch } from 'rfc6902';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

/** An owner with a connector, on a portal of its own where one is named. */
async function start(portalId?: number) {
  const owner = await lab.owner();
  const connect = async (id: number) => {
    const settings = { ...lab.simulator.state.portals.get(1_000_001)!.settings };
    const { accessToken: access_token } = lab.simulator.state.addPortal(id, settings);
    const credential = { name: `portal ${id}`, credential_type: 'crm_oauth', data: { access_token } };
    await owner.post('/api/credentials', credential).expect(201);
  };
  if (portalId) await connect(portalId);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  const at = (part: string) => `${path}/${part}`;
  return {
    owner, connect, path, draft: at('draft'), preview: at('preview'), publish: at('publish'), review: at('publish-review'),
  };
}
const types = ({ changes }: { changes: { type: string }[] }) => changes.map(({ type }) => type);

test('a preview names what the draft changes of the active version', async () => {
  const { owner, draft, preview, publish } = await start();
  expect((await owner.get(preview).expect(200)).body).toEqual({ has_changes: false, changes: [], resolved_changes: [] });
  await owner.put(draft, contactConfig).expect(200);
  expect((await owner.get(preview).expect(200)).body).toEqual({
    has_changes: true,
    changes: [
      { type: 'entity_added', detail: "Entity 'customer' is added.", entity: 'customer', event_flow: null, source: null },
      { type: 'event_flow_added', detail: "Flow 'customers' is added.", entity: null, event_flow: 'customers', source: null },
    ],
    resolved_changes: [],
  });
  await owner.post(publish).expect(200);
  expect((await owner.get(preview).expect(200)).body).toMatchObject({ has_changes: false, changes: [] });
  const sources: ConfigDocument['sources'] = [{ name: 'hook', type: 'webhook' }];
  await owner.patch(draft, { sources, conflicts: { strategy: 'target_wins' }, settings: { note: 'x' } }).expect(200);
  const { body } = await owner.get(preview).expect(200);
  expect([body.has_changes, ...types(body)]).toEqual([true, 'source_added', 'conflicts_added', 'settings_modified']);
});

test('what a publish creates on the portal is shown, and is no change of the config', async () => {
  const { owner, draft, preview, publish } = await start(7_000_001);
  await owner.put(draft, contactConfig).expect(200);
  const resolved = async () => (await owner.get(preview).expect(200)).body.resolved_changes
    .map(({ type, entity }: { type: string; entity: string | null }) => [type, entity]);
  expect(await resolved()).toEqual([['property_group_added', null], ['property_added', 'customer']]);
  await owner.post(publish).expect(200);
  expect(await resolved()).toEqual([]);
  const portal = lab.simulator.state.portals.get(7_000_001)!;
  portal.space(portal.typeNamed('contacts')!).definitions.properties.delete('shop_id');
  expect((await owner.get(preview).expect(200)).body).toMatchObject({
    has_changes: false, changes: [], resolved_changes: [{ type: 'property_added', entity: 'customer' }],
  });
});

test('when a portal does not answer, the preview still shows the changes of the config', async () => {
  const { owner, draft, preview, review } = await start(7_000_002);
  await owner.put(draft, contactConfig).expect(200);
  const fault = { portalId: 7_000_002, status: 503, headers: {}, delayMs: 0, drop: false, afterWrite: false, probability: 1 };
  const down = lab.simulator.state.faults.add(fault);
  const { body } = await owner.get(preview).expect(200);
  expect(types(body)).toEqual(['entity_added', 'event_flow_added']);
  expect(body.resolved_changes).toMatchObject([{ type: 'portal_not_checked', entity: 'customer' }]);
  expect((await owner.get(review).expect(200)).body).toMatchObject({ properties: [], errors: [{ entity: 'customer' }] });
  lab.simulator.state.faults.remove(down);
  const hanging = lab.simulator.state.faults.add({ ...fault, status: undefined, delayMs: 12_000 });
  const { resolved_changes: untold } = (await owner.get(preview).expect(200)).body;
  expect(untold).toMatchObject([{ type: 'portal_not_checked', entity: null }]);
  lab.simulator.state.faults.remove(hanging);
});

test('two versions are compared: changes as a preview names them, and a patch that makes the one into the other', async () => {
  const { owner, path, draft, publish } = await start();
  await owner.put(draft, contactConfig).expect(200);
  await owner.post(publish).expect(200);
  const changed = {
    ...contactConfig, flows: [{ ...contactConfig.flows[0]!, enabled: false }], settings: { note: 'x' },
    sources: [{ name: 'hook', type: 'webhook' as const }],
  };
  await owner.put(draft, changed).expect(200);
  await owner.post(publish).expect(200);
  const diff = (await owner.get(`${path}/versions/1/diff/2`).expect(200)).body;
  expect(diff).toMatchObject({ from: 1, to: 2 });
  expect(types(diff)).toEqual(['event_flow_modified', 'source_added', 'settings_modified']);
  const patched = JSON.parse(JSON.stringify(contactConfig)) as ConfigDocument;
  expect(applyPatch(patched, diff.patch).filter(Boolean)).toEqual([]);
  expect(patched).toEqual(changed);
  expect(types((await owner.get(`${path}/versions/2/diff/1`).expect(200)).body)).toContain('source_removed');
  expect((await owner.get(`${path}/versions/2/diff/2`).expect(200)).body).toMatchObject({ changes: [], patch: [] });
  await owner.get(`${path}/versions/1/diff/3`).expect(404);
  await owner.get(`${path}/versions/x/diff/1`).expect(422);
});

test('the review shows what would be created, and confirms it by the version of the draft', async () => {
  const { owner, draft, review, publish } = await start(7_000_003);
  const pipelines = [{ object_type: 'deals', label: 'Shop', stages: [{ label: 'Paid', probability: 1 }] }];
  const { draft_version } = (await owner.put(draft, { ...contactConfig, pipelines }).expect(200)).body;
  const expected = {
    draft_version,
    requires_confirmation: false,
    property_groups: [{ object_type: 'contacts', name: 'sluice', label: 'Sluice' }],
    properties: [{
      entity: 'customer', object_type: 'contacts', name: 'shop_id', type: 'string', field_type: 'text', group: 'sluice',
      options: [],
    }],
    custom_objects: [],
    pipelines,
    errors: [],
    credential_hosts: [],
  };
  expect((await owner.get(review).expect(200)).body).toEqual(expected);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { publish_review: true }).expect(200);
  expect((await owner.get(review).expect(200)).body).toEqual({ ...expected, requires_confirmation: true });
  await owner.post(publish).expect(400);
  await owner.post(publish, { review: { draft_version } }).expect(200);
  expect((await owner.get(review).expect(200)).body).toEqual({
    ...expected, requires_confirmation: false, property_groups: [], properties: [], pipelines: [],
  });
});

test('the review names credentials that would go to a new host, and a publish wants that confirmed too', async () => {
  const { owner, draft, review, publish, path } = await start();
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { publish_review: true }).expect(200);
  const erp = { name: 'erp', credential_type: 'api_key', data: { value: 'a-secret-key' } };
  await owner.post('/api/credentials', erp).expect(201);
  const source = (base_url: string) => ({ name: 'erp', type: 'rest', config: { base_url, credential_name: 'erp' } });
  const withSource = (base_url: string) => ({ ...contactConfig, entities: [], flows: [], sources: [source(base_url)] });
  const first = (await owner.put(draft, withSource('https://erp.example.com/a')).expect(200)).body.draft_version;
  const pair = { credential_name: 'erp', host: 'erp.example.com', source: 'erp' };
  expect((await owner.get(review).expect(200)).body).toMatchObject({ requires_confirmation: true, credential_hosts: [pair] });
  expect((await owner.get(`${path}/preflight`).expect(200)).body.infos).toMatchObject([{ code: 'publish_review_required' }]);
  expect((await owner.post(publish, {}).expect(400)).body.detail.code).toBe('publish_review_required');
  await owner.post(publish, { review: { draft_version: first } }).expect(200);
  // The same host again is nothing new.
  await owner.put(draft, withSource('https://erp.example.com/b')).expect(200);
  expect((await owner.get(review).expect(200)).body).toMatchObject({ requires_confirmation: false, credential_hosts: [] });
  await owner.post(publish, {}).expect(200);
  await owner.put(draft, withSource('https://erp.example.com.evil.example/b')).expect(200);
  const elsewhere = { ...pair, host: 'erp.example.com.evil.example' };
  expect((await owner.get(review).expect(200)).body.credential_hosts).toEqual([elsewhere]);
  await owner.post(publish, { review: { draft_version: first } }).expect(409);
});

test('without a portal nothing would be created; with several and none chosen the review cannot tell', async () => {
  const { owner, connect, draft, review } = await start();
  await owner.put(draft, contactConfig).expect(200);
  expect((await owner.get(review).expect(200)).body).toMatchObject({ properties: [], property_groups: [] });
  await connect(7_000_004);
  await connect(7_000_005);
  expect((await owner.get(review).expect(422)).body.detail).toMatchObject({ code: 'crm_portal_not_bound' });
});
