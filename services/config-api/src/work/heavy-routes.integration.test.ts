import { configRoutes, type RouteContract } from '@sluice/contracts';
import { eventually } from '@sluice/testkit';
import { scriptedWorker } from '@sluice/work-threads/test-support';
import { contactConfig } from '../test-support/contact-config';
import { type Caller, startLab } from '../test-support/lab';

/** A document that is too large to be walked on the event loop. */
const large = { ...contactConfig, settings: { note: 'x'.repeat(20_000) } };
const [entity, flow] = [contactConfig.entities[0]!, contactConfig.flows[0]!];
const facts = { has_changes: true, direction: null, flow_directions: {}, warnings: [] };
const results = { check_config: { problems: [], findings: [], facts }, required_provisioning: '{"entities":[],"pipelines":[]}' };

/** What each route is asked, by the name of its contract. `at`: the path of the connector. */
const asked: Record<string, (caller: Caller, at: string) => Promise<{ status: number; body: any }>> = {
  get_draft: (caller, at) => caller.get(`${at}/draft`),
  replace_draft: (caller, at) => caller.put(`${at}/draft`, large),
  patch_draft: (caller, at) => caller.patch(`${at}/draft`, { settings: { more: 1 } }),
  patch_draft_settings: (caller, at) => caller.patch(`${at}/draft/settings`, { more: 1 }),
  reset_draft: (caller, at) => caller.post(`${at}/draft/reset`, {}),
  put_draft_entity: (caller, at) => caller.put(`${at}/draft/entities/${entity.name}`, entity),
  delete_draft_entity: (caller, at) => caller.delete(`${at}/draft/entities/${entity.name}`),
  discard_draft_entity: (caller, at) => caller.post(`${at}/draft/entities/${entity.name}/discard`, {}),
  put_draft_flow: (caller, at) => caller.put(`${at}/draft/flows/${flow.name}`, flow),
  delete_draft_flow: (caller, at) => caller.delete(`${at}/draft/flows/${flow.name}`),
  put_draft_source: (caller, at) => caller.put(`${at}/draft/sources/hook`, { type: 'webhook', config: {} }),
  patch_draft_source: (caller, at) => caller.patch(`${at}/draft/sources/hook`, { config: {} }),
  delete_draft_source: (caller, at) => caller.delete(`${at}/draft/sources/hook`),
  create_source: (caller, at) => caller.post(`${at}/sources`, { name: 'second', type: 'webhook', config: {} }),
  delete_source: (caller, at) => caller.delete(`${at}/sources/hook`),
  dry_run_flow: (caller, at) => caller.post(`${at}/draft/flows/${flow.name}/dry-run`, { event_type: 'x', payload: {} }),
  suggest_field_mappings: (caller, at) => caller.get(`${at}/draft/entities/${entity.name}/field-mapping-suggestions`),
  preview_publish: (caller, at) => caller.get(`${at}/preview`),
  review_publish: (caller, at) => caller.get(`${at}/publish-review`),
  preflight_draft: (caller, at) => caller.get(`${at}/preflight`),
  publish_draft: (caller, at) => caller.post(`${at}/publish`, {}),
  diff_versions: (caller, at) => caller.get(`${at}/versions/1/diff/1`),
  restore_version: (caller, at) => caller.post(`${at}/versions/1/restore`, {}),
  provision_portal: (caller, at) => caller.post(`${at}/provision`, {}),
};

/** Routes of the same kind that neither run expressions nor walk a document. */
const light = ['get_active_version', 'get_version', 'list_versions'];

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let at: string;
beforeAll(async () => {
  const isBusy = new Int32Array(new SharedArrayBuffer(4));
  const code = `if (Atomics.load(shared, 0) === 1) for (;;); return ${JSON.stringify(results)}[name]`;
  lab = await startLab({ SLUICE_CONFIG_CHECK_TIME: '0.2' }, undefined, scriptedWorker(code, isBusy));
  owner = await lab.owner();
  at = `/api/connectors/${(await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body.id}`;
  const hook = { name: 'hook', type: 'webhook', config: {} };
  // On a busy machine a thread may be too late though it computes nothing.
  await eventually(() => owner.put(`${at}/draft`, { ...large, sources: [hook] }).expect(200));
  await eventually(() => owner.post(`${at}/publish`, {}).expect(200));
  await eventually(() => owner.patch(`${at}/draft`, { settings: { another: 1 } }).expect(200));
  Atomics.store(isBusy, 0, 1);
});
afterAll(() => lab.stop());

test('every route of drafts and publishing is here', () => {
  const routes = Object.values<unknown>(configRoutes).filter(
    (route): route is RouteContract => (route as RouteContract).tag === 'Draft and publish',
  );
  expect(routes.map(({ name }) => name).filter((name) => !(name in asked) && !light.includes(name))).toEqual([]);
});

test.each(Object.keys(asked).map((name) => ({ name })))('does its work in a thread, within its time: $name', async ({ name }) => {
  const { status, body } = await asked[name]!(owner, at);
  const told = name === 'preflight_draft' ? body.errors.at(0) : { ...body.detail, code: body.detail.error };
  expect([name, status, told.code]).toEqual([name, name === 'preflight_draft' ? 200 : 422, 'config_too_complex']);
});
