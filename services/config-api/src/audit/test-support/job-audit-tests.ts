import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/testkit';
import { contactConfig } from '../../test-support/contact-config';
import { lab } from '../../test-support/shared-lab';
import { logOf, model, shown, told } from './audit-lab';

/** An organization with a published connector on a portal of its own. */
async function publishedOn(portalId: number) {
  const owner = await lab.owner();
  const portal = lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const data = { access_token: portal.accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  await owner.put(`/api/connectors/${connector.id}/draft`, contactConfig).expect(200);
  await owner.post(`/api/connectors/${connector.id}/publish`, {}).expect(200);
  return { owner, connector };
}

/** What the audit log says of work that somebody asks for, of plans, plugins and operators. */
export function jobAuditTests(): void {
  test('what an operator reads of an organization is logged there, its mails too', async () => {
    const owner = await lab.owner();
    const before = (await logOf(owner)).length;
    await lab.operator.get(`/operator/organizations/${owner.organizationId}`).expect(200);
    await lab.operator.get(`/operator/outbox?to=${owner.email}`).expect(200);
    await lab.operator.get('/operator/outbox?to=nobody@shop.example').expect(200);
    await lab.operator.get('/operator/overview').expect(200);
    const operator = { type: 'operator', id: null, label: 'operator' };
    expect((await logOf(owner)).slice(before)).toMatchObject([
      { actor: operator, action: 'organization.read', target: { type: 'organization', id: owner.organizationId },
        outcome: 'done' },
      { actor: operator, action: 'outbox.read', target: { type: 'user', id: owner.userId }, outcome: 'done' },
    ]);
    for (const action of ['organization.read', 'outbox.read']) told.add(action);
  });

  test('the release of a write cap is logged', async () => {
    const owner = await lab.owner('pro');
    await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { write_cap_review: true }).expect(200);
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const nothing = { config: {}, flows: [], sources: [], changeSummary: null, publishedBy: null, eventSourcesLimit: null };
    await lab.configStore.drafts.publish({ connectorId: id, ...nothing, baseVersion: 0, writeCapLimit: 1 });
    const answer = await lab.writeCaps.reserve(id, 1, 60_000);
    const reservation = answer.granted ? answer.reservation! : '';
    await lab.writeCaps.settle({ connectorId: id, reservation, written: 1 });
    await lab.writeCaps.tripReached();
    await owner.post(`/api/connectors/${id}/write-cap/release`).expect(202);
    const entry = (await logOf(owner)).map(shown).at(-1);
    expect(entry).toEqual([`user ${owner.email}`, 'connector.release_write_cap', 'connector', id, 'done']);
    told.add('connector.release_write_cap');
  });

  test('orders of plans, details of invoices and agreements are logged', async () => {
    const owner = await lab.owner('free');
    const at = '/api/v1/billing';
    const order = (await owner.post(`${at}/checkout`, { tier: 'pro', interval: 'month' }).expect(201)).body.order_id;
    await owner.post(`${at}/checkout`, { tier: 'pro', interval: 'month' }).expect(409);
    await owner.post(`${at}/orders/${order}/confirm`).expect(200);
    await owner.put(`${at}/details`, { company_name: 'Shop' }).expect(200);
    await owner.post(`${at}/agreements/terms/accept`).expect(200);
    const mine = `user ${owner.email}`;
    const entries = (await logOf(owner)).map(shown).slice(2);
    expect(entries).toEqual([
      [mine, 'billing.checkout', 'order', order, 'done'], [mine, 'billing.checkout', 'order', null, 'refused'],
      [mine, 'billing.confirm', 'order', order, 'done'],
      [mine, 'billing.details', 'organization', owner.organizationId, 'done'],
      [mine, 'billing.accept_agreement', 'agreement', 'terms', 'done'],
    ]);
    for (const [, action] of entries) told.add(action as string);
  });

  test('an install that is attached is logged, a refused one too', async () => {
    const owner = await lab.owner();
    const answer = await lab.api().get(`/api/v1/auth/crm/callback?code=sim-code-1000001-${randomUUID()}`).expect(302);
    const token = new URL(answer.headers['location']!).searchParams.get('token')!;
    const at = `/api/v1/auth/crm/install/${token}/attach`;
    const { id } = (await owner.post(at, { name: 'portal' }).expect(201)).body;
    await owner.post(at, { name: 'portal' }).expect(410);
    const mine = `user ${owner.email}`;
    expect((await logOf(owner)).map(shown).slice(2)).toEqual(
      [[mine, 'crm.attach', 'credential', id, 'done'], [mine, 'crm.attach', 'credential', null, 'refused']],
    );
    told.add('crm.attach');
  });

  test('a raised width is logged in the organization of the connector', async () => {
    const owner = await lab.owner();
    const connector = (await owner.post('/api/connectors', { name: 'Hot' }).expect(201)).body;
    await lab.operator.put(`/operator/connectors/${connector.id}/width`, { width: 3 }).expect(200);
    expect((await logOf(owner)).map(shown).at(-1)).toEqual(
      ['operator operator', 'connector.widen', 'connector', connector.id, 'done'],
    );
    told.add('connector.widen');
  });

  test('each change of a plugin is logged', async () => {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/plugins', { name: 'Score' }).expect(201)).body;
    const at = `/api/plugins/${id}`;
    const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    await owner.patch(at, { capabilities: { store: ['read'] } }).expect(200);
    await owner.post(`${at}/push`).attach('bundle', Buffer.from('exports.handler = () => null;'), 'bundle.js').expect(202);
    await owner.post(`${at}/promote`, { target: 'live' }).expect(202);
    await lab.landPlugins();
    for (const hook of ['setup', 'teardown']) await owner.post(`${at}/lifecycle/${hook}`,
      { connector_id: connector.id }).expect(202);
    await owner.delete(at).expect(204);

    const entries = (await logOf(owner)).filter(({ target }) => target.type === 'plugin');
    const acts = ['create', 'update', 'push', 'promote', 'setup', 'teardown', 'delete'];
    expect(entries.map(shown)).toEqual(acts.map((act) => [`user ${owner.email}`, `plugin.${act}`, 'plugin', id, 'done']));
    for (const { action } of entries) told.add(action);
  });

  test('an export of data that is asked for is logged', async () => {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/data-exports', {}).expect(202)).body;
    const entry = (await logOf(owner)).map(shown).at(-1);
    expect(entry).toEqual([`user ${owner.email}`, 'data_export.request', 'data_export', id, 'done']);
    told.add('data_export.request');
  });

  test('replay jobs that are created and stopped are logged', async () => {
    const owner = await lab.owner();
    const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const { id } = (await owner.post(`/api/connectors/${connector.id}/replays`, { filter: {} }).expect(202)).body;
    await owner.post(`/api/connectors/${connector.id}/replays/${id}/cancel`);
    const actions = ['replay.create', 'replay.cancel'];
    const entries = (await logOf(owner)).map(shown).filter(([, action]) => actions.includes(action!));
    expect(entries.map(([actor, action, target, of]) => [actor, action, target, of])).toEqual(
      actions.map((action) => [`user ${owner.email}`, action, 'replay', id]),
    );
    for (const action of actions) told.add(action);
  });

  test('bulk imports: each is logged, with its cancel and its retry', async () => {
    const { owner, connector } = await publishedOn(9_100_002);
    const before = (await logOf(owner)).length;
    const at = `/api/connectors/${connector.id}/bulk-imports`;
    const rows = [{ external_id: 'C-1', properties: { email: 'a@shop.example' } }];
    const { id } = (await owner.post(at, { entity: 'customer', rows }).expect(202)).body;
    await owner.post(at, { entity: 'nope', rows }).expect(422);
    await owner.post(`${at}/${id}/cancel`).expect(200);
    await lab.pool.query("UPDATE bulk_import_rows SET status = 'failed', error_code = 'x' WHERE import_id = $1", [id]);
    await lab.pool.query('UPDATE bulk_imports SET rows_failed = 1 WHERE id = $1', [id]);
    await owner.post(`${at}/${id}/retry`).expect(202);

    const entries = (await logOf(owner)).slice(before).map(shown);
    const mine = `user ${owner.email}`;
    expect(entries).toEqual([
      [mine, 'bulk_import.create', 'bulk_import', id, 'done'], [mine, 'bulk_import.create', 'bulk_import', null, 'refused'],
      [mine, 'bulk_import.cancel', 'bulk_import', id, 'done'], [mine, 'bulk_import.retry', 'bulk_import', id, 'done'],
    ]);
    for (const [, action] of entries) told.add(action as string);
  });

  test('verifications: each is logged, with its cancel and its repair', async () => {
    const { owner, connector } = await publishedOn(9_100_003);
    const before = (await logOf(owner)).length;
    const at = `/api/connectors/${connector.id}/verifications`;
    const { id } = (await owner.post(at, { entity: 'customer', external_ids: ['C-1'] }).expect(202)).body;
    // Its work has ended, and so does not end it once more.
    await eventually(async () => (await owner.get(`${at}/${id}`).expect(200)).body.completed_at !== null);
    await lab.pool.query("UPDATE verifications SET status = 'running', completed_at = NULL WHERE id = $1", [id]);
    await owner.post(`${at}/${id}/cancel`).expect(200);
    await owner.post(`${at}/${id}/repair`).expect(409);

    const entries = (await logOf(owner)).slice(before).map(shown);
    const mine = `user ${owner.email}`;
    expect(entries).toEqual([
      [mine, 'verification.create', 'verification', id, 'done'], [mine, 'verification.cancel', 'verification', id, 'done'],
      [mine, 'verification.repair', 'verification', id, 'refused'],
    ]);
    for (const [, action] of entries) told.add(action as string);
  });

  test('a flow that is tried again, and one that an operator stops, are logged', async () => {
    const owner = await lab.owner();
    const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const path = `/api/connectors/${connector.id}`;
    await owner.put(`${path}/draft`, contactConfig).expect(200);
    await owner.post(`${path}/publish`, {}).expect(200);
    await owner.post(`${path}/flows/customers/retry`).expect(202);
    await lab.operator.put(`/operator/connectors/${connector.id}/flows/customers/breaker`, { state: 'open' }).expect(200);
    const expected = [
      [`user ${owner.email}`, 'flow.retry', 'connector', connector.id, 'done'],
      ['operator operator', 'flow.force', 'connector', connector.id, 'done'],
    ];
    const entries = (await logOf(owner)).map(shown).filter(([, action]) => action!.startsWith('flow.'));
    expect(entries).toEqual(expected);
    for (const [, action] of expected) told.add(action!);
  });

  test('a proposal of the assistant that is applied is logged, with who applied it', async () => {
    const owner = await lab.owner();
    const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const path = `/api/connectors/${connector.id}/assistant/sessions`;
    const { id } = (await owner.post(path).expect(201)).body;
    model.play({ calls: [{ name: 'propose_patch', arguments: { patch: { settings: { note: 'x' } }, summary: 'A note' } }] });
    await owner.post(`${path}/${id}/messages`, { content: 'Note it' }).expect(200);
    const [proposal] = (await owner.get(`${path}/${id}`).expect(200)).body.proposals;
    await owner.post(`${path}/${id}/proposals/${proposal.id}/apply`).expect(200);
    const entries = (await logOf(owner, '&action=assistant.proposal.apply')).map(shown);
    expect(entries).toEqual([[`user ${owner.email}`, 'assistant.proposal.apply', 'connector', connector.id, 'done']]);
    told.add('assistant.proposal.apply');
  });
}
