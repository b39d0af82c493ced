import { eventually } from '@sluice/testkit';
import { contactConfig } from '../../test-support/contact-config';
import { lab, shareLab } from '../../test-support/shared-lab';
import { start } from './test-support/publish-lab';

/** Publishes that conflict, that are interrupted, and that are refused before anything is created. */
shareLab();

const hook = { name: 'hook', type: 'webhook' as const };
const creations = (portalId: number) => [...lab.simulator.state.calls.entries()].filter((call) =>
  call.portalId === portalId && call.method === 'POST' && call.path.endsWith('properties/contacts/batch/create'));

test('two publishes at once give one version and one 409', async () => {
  const { owner, path, draft, publish } = await start({ portalId: 8_000_001 });
  await owner.put(draft, { ...contactConfig, sources: [hook] }).expect(200);
  // The CRM is slow, so both are under way at the same time.
  const fault = { portalId: 8_000_001, headers: {}, delayMs: 300, drop: false, afterWrite: false, probability: 1 };
  const slow = lab.simulator.state.faults.add(fault);
  const answers = await Promise.all([owner.post(publish), owner.post(publish)]);
  lab.simulator.state.faults.remove(slow);
  const [won, lost] = [...answers].sort((a, b) => a.status - b.status);
  expect(won).toMatchObject({ status: 200, body: { version: 1, created_sources: [{ name: 'hook' }] } });
  expect(lost).toMatchObject({
    status: 409, body: { detail: { code: 'stale_base_version', base_version: 0, active_version: 1 } },
  });
  expect((await owner.get(`${path}/versions`).expect(200)).body.total).toBe(1);
});

test('a draft that is written during its publish keeps what was written, for the next one', async () => {
  const { owner, path, draft, publish } = await start({ portalId: 8_000_002 });
  await owner.put(draft, contactConfig).expect(200);
  const fault = { portalId: 8_000_002, headers: {}, delayMs: 300, drop: false, afterWrite: false, probability: 1 };
  const slow = lab.simulator.state.faults.add(fault);
  const published = owner.post(publish).then(({ status }) => status);
  await eventually(() => expect([...lab.simulator.state.calls.entries()].some((call) => call.portalId === 8_000_002)).toBe(true));
  await owner.patch(`${draft}/settings`, { late: true }).expect(200);
  expect(await published).toBe(200);
  lab.simulator.state.faults.remove(slow);
  expect((await owner.get(`${path}/versions/1`).expect(200)).body.config).toEqual(contactConfig);
  expect((await owner.get(draft).expect(200)).body).toMatchObject({
    base_version: 1, has_changes: true, config: { settings: { late: true } },
  });
  expect((await owner.post(publish).expect(200)).body.version).toBe(2);
});

test('a crash between provisioning and the version leaves nothing half published, and a retry resumes', async () => {
  const { owner, id, path, draft, publish } = await start({ portalId: 8_000_003 });
  await owner.put(draft, { ...contactConfig, sources: [hook] }).expect(200);
  const blocker = await lab.pool.connect();
  try {
    // Versions can be read; the transaction that stores one waits, and is interrupted there.
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE versions IN SHARE MODE');
    const cutOff = owner.post(publish).then(({ status }) => status);
    const waiting = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'INSERT INTO%versions%'`;
    const pid = await eventually(async () => {
      const { rows } = await lab.pool.query(waiting);
      expect(rows).toHaveLength(1);
      return rows[0].pid as number;
    });
    expect(creations(8_000_003)).toHaveLength(1);
    await lab.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    expect([500, 503]).toContain(await cutOff);
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release();
  }
  await owner.get(`${path}/versions/active`).expect(404);
  expect((await owner.get(draft).expect(200)).body).toMatchObject({ base_version: null, has_changes: true });
  const left = await lab.pool.query('SELECT name FROM connector_sources WHERE connector_id = $1', [id]);
  expect([left.rows, lab.change(id)?.active_version ?? null]).toEqual([[], null]);
  expect((await owner.post(publish).expect(200)).body).toMatchObject({
    version: 1,
    created_sources: [{ name: 'hook', secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) }],
    provisioned: [{ entity: 'customer', created: [], skipped_existing: ['email', 'shop_id'] }],
  });
  expect(creations(8_000_003)).toHaveLength(1);
});

test('a plugin step is refused: by a plan without plugins, else because no plugin has the name', async () => {
  const steps = [{ id: 'score', action: 'plugin', plugin: { logical_name: 'score' } }];
  const config = { ...contactConfig, flows: [{ ...contactConfig.flows[0]!, steps }] };
  const poor = await start({ tier: 'pro' });
  await poor.owner.put(poor.draft, config).expect(200);
  expect((await poor.owner.post(poor.publish).expect(402)).body.detail).toMatchObject({
    error: 'plugin_system_not_allowed', tier: 'pro',
  });
  const rich = await start();
  await rich.owner.put(rich.draft, config).expect(200);
  expect((await rich.owner.post(rich.publish).expect(422)).body.detail).toEqual([
    {
      type: 'unknown_plugin', loc: ['body', 'flows', 0, 'steps', 0, 'plugin', 'logical_name'],
      msg: "step 'score' names the plugin 'score', which does not exist", input: 'score',
    },
  ]);
});

test('new_sources and delete_sources are accepted and change nothing', async () => {
  const { owner, path, draft, publish } = await start();
  await owner.put(draft, { ...contactConfig, sources: [hook] }).expect(200);
  const body = { new_sources: [{ name: 'other', type: 'file' }], delete_sources: ['hook'] };
  const { created_sources } = (await owner.post(publish, body).expect(200)).body;
  expect(created_sources.map(({ name }: { name: string }) => name)).toEqual(['hook']);
  expect((await owner.get(`${path}/versions/active`).expect(200)).body.config.sources).toEqual([hook]);
});

test('a config over the size limit is refused on every route', async () => {
  const { owner, id, draft, publish } = await start();
  await owner.put(draft, contactConfig).expect(200);
  const large = { ...contactConfig, settings: { note: 'x'.repeat(1_048_576) } };
  await lab.pool.query('UPDATE drafts SET config = $2 WHERE connector_id = $1', [id, JSON.stringify(large)]);
  expect((await owner.post(publish).expect(422)).body.detail).toMatchObject([{ type: 'config_too_large' }]);
});
