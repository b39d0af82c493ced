import type { ConfigDocument, Source } from '@sluice/contracts';
import { RecentRead } from '@sluice/ports';
import { createMonotonicClock } from '@sluice/service-kit';
import { eventually } from '@sluice/testkit';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

const withSources = (...sources: Source[]): ConfigDocument => ({ version: '3.0', entities: [], flows: [], sources });
const hook: Source = { name: 'the shop', type: 'webhook', config: { event_type_path: '$.topic' } };
const ticks: Source = { name: 'ticks', type: 'scheduled', config: { schedule: '0 9 * * *' } };
const erp: Source = { name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } };
const api = (name: string): Source => ({ name, type: 'event_api' });

async function start({ tier, published = [] }: { tier?: string; published?: Source[] } = {}) {
  const owner = await lab.owner(tier);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  const publish = async (...sources: Source[]) => {
    await owner.put(`${path}/draft`, withSources(...sources)).expect(200);
    return (await owner.post(`${path}/publish`, { force: true }).expect(200)).body;
  };
  const created = published.length > 0 ? (await publish(...published)).created_sources : [];
  return { owner, id, path, sources: `${path}/sources`, draft: `${path}/draft`, publish, created };
}
const namesOf = ({ config }: { config: ConfigDocument }): string[] => config.sources.map(({ name }) => name);

test('the list has the sources of the draft and of the active version, each with its state', async () => {
  const { owner, id, sources, draft } = await start({ published: [hook, ticks] });
  await owner.put(draft, withSources(ticks, erp)).expect(200);
  await lab.pool.query(
    `UPDATE connector_sources SET cursor = '{"page": 3}', last_event_at = $2, last_poll_at = $2, last_error = 'timed out'
     WHERE connector_id = $1 AND name = 'ticks'`, [id, '2026-01-02T03:04:05Z']);
  const unread = { last_event_at: null, last_poll_at: null, last_error: null, cursor: null };
  const at = '2026-01-02T03:04:05.000Z';
  expect((await owner.get(sources).expect(200)).body).toEqual({
    items: [
      {
        name: 'erp', type: 'rest', enabled: true, direction: 'outbound', url: null, ...unread,
        in_draft: true, in_active_version: false,
      },
      {
        name: 'the shop', type: 'webhook', enabled: true, direction: 'inbound',
        url: `http://sluice.test/api/webhooks/${id}/the%20shop`, ...unread, in_draft: false, in_active_version: true,
      },
      {
        name: 'ticks', type: 'scheduled', enabled: true, direction: 'inbound', url: null,
        last_event_at: at, last_poll_at: at, last_error: 'timed out', cursor: { page: 3 },
        in_draft: true, in_active_version: true,
      },
    ],
  });
  const { owner: other, sources: empty } = await start();
  expect((await other.get(empty).expect(200)).body).toEqual({ items: [] });
});

test('a source is switched off and on at once, the change is published, and a publish does not undo it', async () => {
  const { owner, id, path, sources } = await start({ published: [hook] });
  await eventually(() => lab.change(id)?.active_version === 1);
  const { revision } = lab.change(id)!;
  const off = (await owner.patch(`${sources}/the%20shop`, { enabled: false }).expect(200)).body;
  expect(off).toMatchObject({ name: 'the shop', enabled: false, in_draft: true, in_active_version: true });
  await eventually(() => lab.change(id)!.revision > revision);
  expect(await lab.configReader.sourceStates(id)).toMatchObject([{ name: 'the shop', enabled: false }]);
  await owner.post(`${path}/publish`, { force: true }).expect(200);
  expect((await owner.get(sources)).body.items[0].enabled).toBe(false);
  expect((await owner.patch(`${sources}/the%20shop`, { enabled: true }).expect(200)).body.enabled).toBe(true);
  await owner.patch(`${sources}/none`, { enabled: false }).expect(404);
  await owner.patch(`${sources}/the%20shop`, { enabled: 'no', more: 1 }).expect(422);
});

test('a new source goes into the draft: 202 with the draft, refused where the document refuses it', async () => {
  const { owner, sources } = await start();
  const made = await owner.post(sources, hook).expect(202);
  expect(made.body).toMatchObject({ draft_version: 2, has_changes: true, config: { sources: [hook] } });
  expect((await owner.post(sources, hook).expect(409)).body).toEqual({ detail: { error: 'source_name_taken' } });
  const problems = async (body: object) =>
    (await owner.post(sources, body).expect(422)).body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) =>
      `${type} ${loc.join('.')}`);
  expect(await problems({ name: 'x', type: 'webhook', secret: 'hunter2' })).toEqual(['secret_not_declarable body.secret']);
  expect(await problems({ name: 'x', type: 'poller', config: { token: 'hunter2' } })).toEqual([
    'missing body.config.url', 'secret_not_declarable body.config.token',
  ]);
  expect(await problems({ name: 'x', type: 'fax' })).toEqual(['enum body.type']);
  expect(await problems({ name: 'x', type: 'webhook', more: 1 })).toEqual(['extra_forbidden body.more']);
  await owner.post(sources, { ...ticks, expected_version: 1 }).expect(409);
  expect(namesOf((await owner.post(sources, { ...ticks, expected_version: 2 }).expect(202)).body)).toEqual(['the shop', 'ticks']);
});

test('a source beyond the plan\'s limit is refused at once; one within the limit is not', async () => {
  const { owner, sources, draft } = await start({ tier: 'free', published: ['a', 'b', 'c', 'd'].map(api) });
  expect((await owner.post(sources, api('e')).expect(402)).body.detail).toMatchObject({
    error: 'event_source_limit_reached', tier: 'free', limit: 4, usage: 4, upgrade_url: expect.any(String),
  });
  await owner.put(`${draft}/sources/a`, { type: 'event_api', config: {} }).expect(200);
  await owner.delete(`${sources}/a`).expect(200);
  await owner.post(sources, api('e')).expect(202);
  await owner.post(sources, api('f')).expect(402);
});

test('a source is removed from the draft; above the plan\'s limit that needs a confirmation; the publish ends it', async () => {
  const { owner, path, sources, draft } = await start({ published: ['a', 'b', 'c'].map(api) });
  const used = async () => (await owner.get('/api/v1/billing/me').expect(200)).body.event_sources_used as number;
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { limits: { event_sources_limit: 2 } }).expect(200);
  expect((await owner.delete(`${sources}/a`).expect(409)).body.detail).toEqual({
    error: 'event_source_delete_confirmation_required', limit: 2, usage: 3,
  });
  expect(namesOf((await owner.delete(`${sources}/a?confirm=true`).expect(200)).body)).toEqual(['b', 'c']);
  expect([await used(), (await owner.get(draft)).body.has_changes]).toEqual([3, true]);
  await owner.post(`${path}/publish`).expect(200);
  expect(await used()).toBe(2);
  expect((await owner.get(sources)).body.items.map(({ name }: { name: string }) => name)).toEqual(['b', 'c']);
  expect(namesOf((await owner.delete(`${sources}/b`).expect(200)).body)).toEqual(['c']);
  await owner.delete(`${sources}/b`).expect(404);
  await owner.delete(`${sources}/c?confirm=maybe`).expect(422);
});

test('the draft keeps a source that a flow names, as its source or as the target of a step', async () => {
  const { owner, sources, draft } = await start();
  const flows = [
    { name: 'one', source: 'ticks', event_type: 'a.tick', steps: [{ id: 'end', action: 'skip', reason: 'r', target: 'erp' }] },
  ];
  await owner.put(draft, { ...withSources(hook, ticks, erp), flows }).expect(200);
  for (const path of [`${draft}/sources/ticks`, `${draft}/sources/erp`, `${sources}/ticks`, `${sources}/erp?confirm=true`])
    expect((await owner.delete(path).expect(409)).body).toEqual({ detail: { error: 'source_in_use', flows: ['one'] } });
  expect(namesOf((await owner.delete(`${draft}/sources/the%20shop`).expect(200)).body)).toEqual(['ticks', 'erp']);
  await owner.delete(`${draft}/sources/the%20shop`).expect(404);
});

test('a source of the draft is put by its name, and its config patched', async () => {
  const { owner, draft } = await start();
  const config = { schedule: '0 9 * * *', payload: { a: 1, b: { c: 2 } } };
  const put = (await owner.put(`${draft}/sources/ticks`, { type: 'scheduled', config }).expect(200)).body;
  expect(put.config.sources).toEqual([{ name: 'ticks', type: 'scheduled', config }]);
  await owner.put(`${draft}/sources/other`, erp).expect(422);
  const patch = { config: { schedule: '0 10 * * *', payload: { b: { c: null, d: 3 } } } };
  const patched = (await owner.patch(`${draft}/sources/ticks`, patch).expect(200)).body;
  expect(patched.config.sources[0].config).toEqual({ schedule: '0 10 * * *', payload: { a: 1, b: { d: 3 } } });
  const { detail } = (await owner.patch(`${draft}/sources/ticks`, { config: { schedule: 'often' } }).expect(422)).body;
  expect(detail).toMatchObject([{ type: 'cron_invalid', loc: ['body', 'config', 'schedule'], input: 'often' }]);
  await owner.patch(`${draft}/sources/ticks`, { config: {}, expected_version: 1 }).expect(409);
  await owner.patch(`${draft}/sources/ticks`, { schedule: 'x' }).expect(422);
  await owner.patch(`${draft}/sources/none`, { config: {} }).expect(404);
});

test('a source is polled now: 202; one that nothing reads, or that is off, is refused', async () => {
  const { owner, id, sources } = await start({ published: [hook, ticks] });
  expect((await owner.post(`${sources}/ticks/poll`).expect(202)).body).toEqual({ name: 'ticks', status: 'queued' });
  const { rows } = await lab.pool.query('SELECT worker, key, tenant FROM background_tasks WHERE key = $1', [`${id}/ticks`]);
  expect(rows).toEqual([{ worker: 'sources.read', key: `${id}/ticks`, tenant: owner.organizationId }]);
  expect((await owner.post(`${sources}/the%20shop/poll`).expect(400)).body).toEqual({ detail: { error: 'source_not_read' } });
  await owner.patch(`${sources}/ticks`, { enabled: false }).expect(200);
  expect((await owner.post(`${sources}/ticks/poll`).expect(409)).body).toEqual({ detail: { error: 'source_disabled' } });
  await owner.post(`${sources}/none/poll`).expect(404);
});

test('a crm source that has lost its place says so until it is resumed', async () => {
  const { owner, id, path, sources } = await start({ published: [{ name: 'changes', type: 'crm', config: {} }, ticks] });
  await lab.pool.query(
    "UPDATE connector_sources SET last_error = 'journal_offset_expired' WHERE connector_id = $1 AND name = 'changes'", [id]);
  const codes = (findings: { code: string }[]) => findings.map(({ code }) => code);
  const warnings = async () => codes((await owner.get(`${path}/preflight`).expect(200)).body.warnings);
  const ofConnector = async () => codes((await owner.get(path).expect(200)).body.warnings);
  expect(await warnings()).toContain('journal_offset_expired');
  expect(await ofConnector()).toEqual(['journal_offset_expired']);
  expect(codes((await owner.patch(path, { name: 'Renamed' }).expect(200)).body.warnings)).toEqual(['journal_offset_expired']);
  expect((await owner.post(`${sources}/ticks/resume`).expect(400)).body).toEqual({ detail: { error: 'no_crm_source' } });
  expect((await owner.post(`${sources}/changes/resume`).expect(202)).body).toEqual({ name: 'changes', status: 'resumed' });
  expect(await warnings()).not.toContain('journal_offset_expired');
  expect(await ofConnector()).toEqual([]);
  expect((await owner.get(sources)).body.items[0].last_error).toBeNull();
  await owner.post(`${sources}/none/resume`).expect(404);
  await owner.post(`${sources}/changes/poll`).expect(202);
  const { rows } = await lab.pool.query("SELECT key FROM background_tasks WHERE worker = 'crm.journal'");
  expect(rows).toEqual([{ key: '' }]);
});

test('a webhook gets a new secret at once, shown once and stored encrypted; no other source has one', async () => {
  const { owner, id, sources, created } = await start({ published: [hook, ticks] });
  const sealed = async () => (await lab.configReader.sourceStates(id)).find(({ name }) => name === 'the shop')!.sealed!;
  const before = await sealed();
  const { body } = await owner.post(`${sources}/the%20shop/rotate-secret`).expect(200);
  expect(body).toEqual({
    name: 'the shop', secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), url: `http://sluice.test/api/webhooks/${id}/the%20shop`,
    rotated_at: expect.any(String),
  });
  expect(body.secret).not.toBe(created[0].secret);
  const after = await sealed();
  expect(after).not.toBe(before);
  expect(after).not.toContain(body.secret);
  const refused = (await owner.post(`${sources}/ticks/rotate-secret`).expect(400)).body;
  expect(refused).toEqual({ detail: { error: 'no_webhook_source' } });
  await owner.post(`${sources}/none/rotate-secret`).expect(404);
  const audit = (await owner.get(`/api/orgs/${owner.organizationId}/audit?action=source.rotate_secret`).expect(200)).body;
  expect(audit.items[0]).toMatchObject({ action: 'source.rotate_secret', target: { type: 'connector', id } });
  expect(JSON.stringify(lab.lines)).not.toContain(body.secret);
});

test('the answer to a new secret comes when every process knows it', async () => {
  const { owner, id, sources } = await start({ published: [hook] });
  // As a process that checks signatures, which is as late as one may be.
  const believed = new RecentRead({
    read: async () => (await lab.configReader.sourceStates(id))[0]!.sealed, monotonicNow: createMonotonicClock(),
  });
  const before = await believed.get();
  await owner.post(`${sources}/the%20shop/rotate-secret`).expect(200);
  expect(await believed.get()).not.toBe(before);
});

test('a webhook may get the secret that its sender made', async () => {
  const { owner, id, sources } = await start({ published: [hook] });
  const secret = 'whsec_made-by-the-sender';
  expect((await owner.post(`${sources}/the%20shop/rotate-secret`, { secret }).expect(200)).body.secret).toBe(secret);
  const sealed = (await lab.configReader.sourceStates(id))[0]!.sealed!;
  expect(lab.webhookKeyring.decrypt(sealed, `source:${id}:the shop`)).toBe(secret);
  expect(() => lab.keyring.decrypt(sealed, `source:${id}:the shop`)).toThrow('does not open');
  const short = (await owner.post(`${sources}/the%20shop/rotate-secret`, { secret: 'hunter2' }).expect(422)).body;
  expect(JSON.stringify(short)).not.toContain('hunter2');
});

test('the URL of a webhook without signatures ends with a random part, which changes with its secret', async () => {
  const open: Source = { name: 'open', type: 'webhook', config: { verify_signature: 'none' } };
  const { owner, id, path, sources, created, draft } = await start({ published: [open] });
  const url = async () => (await owner.get(sources).expect(200)).body.items[0].url as string;
  expect(created[0].url).toMatch(new RegExp(`^http://sluice.test/api/webhooks/${id}/open/[\\w-]{32}$`));
  expect(await url()).toBe(created[0].url);
  const rotated = (await owner.post(`${sources}/open/rotate-secret`).expect(200)).body;
  expect(rotated.url).not.toBe(created[0].url);
  expect(await url()).toBe(rotated.url);
  const { warnings } = (await owner.get(`${path}/preflight`).expect(200)).body;
  expect(warnings).toContainEqual(expect.objectContaining({
    code: 'webhook_without_signature', field: 'sources.0.config.verify_signature',
  }));
  await owner.put(draft, withSources({ ...open, name: 'another' })).expect(200);
  expect((await owner.get(sources)).body.items[0]).toMatchObject({ name: 'another', url: null });
});
