import { randomUUID } from 'node:crypto';
import { configRoutes, type RouteContract } from '@sluice/contracts';
import { anIndexRow, aRow, aSettlement, createScriptedModel, ownPartition } from '@sluice/ports/testing';
import { createEventIndex, createRunStore } from '@sluice/store-postgres';
import { Secret, TOTP } from 'otpauth';
import { contactConfig } from '../test-support/contact-config';
import { password, startLab } from '../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
const model = createScriptedModel();
beforeAll(async () => { lab = await startLab({ SLUICE_TRUST_PROXY: '1' }, undefined, undefined, { model }); });
afterAll(() => lab.stop());

interface Entry {
  at: string;
  actor: { type: string; id: string | null; label: string | null };
  action: string;
  target: { type: string; id: string | null };
  ip: string | null;
  request_id: string | null;
  outcome: string;
  reason: string | null;
}
type Owner = Pick<Awaited<ReturnType<typeof lab.owner>>, 'get' | 'organizationId'>;
const shown = ({ actor, action, target, outcome }: Entry) =>
  [`${actor.type} ${actor.label}`, action, target.type, target.id, outcome];
/** Oldest first. */
const logOf = async (owner: Owner, query = ''): Promise<Entry[]> =>
  (await owner.get(`/api/orgs/${owner.organizationId}/audit?limit=200${query}`).expect(200)).body.items.reverse();

/** Actions that the tests below have seen in the log. */
const told = new Set<string>();

test('each change of an organization and its connectors is logged, with actor, address and id', async () => {
  const owner = await lab.owner();
  const org = owner.organizationId;
  const orgKey = (await owner.post('/api/org-api-keys', { label: 'deploy' }).expect(201)).body;
  const api = lab.as(orgKey.raw_key);
  const credential = (
    await api
      .post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: 'sim-access-1000001' } })
      .expect(201)
  ).body;
  const connector = (await api.post('/api/connectors', { name: 'Shop', credential_id: credential.id }).expect(201)).body;
  const at = `/api/connectors/${connector.id}`;
  await api.patch(at, { name: 'Other' }).expect(200);
  const key = (await api.post(`${at}/api-keys`, { label: 'shop' }).expect(201)).body;
  await api.delete(`${at}/api-keys/${key.id}`).expect(204);
  await api.put(`${at}/draft`, contactConfig).expect(200);
  await api.patch(`${at}/draft`, { settings: { note: 'x' } }).expect(200);
  await api.post(`${at}/publish`, {}).set('x-request-id', 'publish-1').set('x-forwarded-for', '203.0.113.7').expect(200);
  await api.post(`${at}/draft/reset`, {}).expect(200);
  await api.post(`${at}/versions/1/restore`, {}).expect(200);
  await api.put(`/api/credentials/${credential.id}`, { data: { access_token: 'sim-access-1000001' } }).expect(200);
  await api.delete(at).expect(204);
  await api.delete(`/api/credentials/${credential.id}`).expect(204);
  await owner.delete(`/api/org-api-keys/${orgKey.id}`).expect(204);
  await lab.operator.patch(`/operator/organizations/${org}`, { publish_review: false }).expect(200);
  const login = await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
  await lab.as(login.body.access_token).post('/api/auth/logout').expect(204);

  const [byKey, byUser] = [`org_key ${orgKey.id} deploy`, `user ${owner.userId} ${owner.email}`];
  const entries = await logOf(owner);
  const sessionId = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
  expect(
    entries.map(({ actor, action, target, outcome }) => [
      `${actor.type} ${actor.id} ${actor.label}`,
      action,
      target.type,
      target.id,
      outcome,
    ]),
  ).toEqual(
    [
      ['operator null operator', 'organization.create', 'organization', org],
      [byUser, 'session.create', 'session', sessionId],
      [byUser, 'org_key.create', 'org_key', orgKey.id],
      [byKey, 'credential.create', 'credential', credential.id],
      [byKey, 'connector.create', 'connector', connector.id],
      [byKey, 'connector.update', 'connector', connector.id],
      [byKey, 'connector_key.create', 'connector_key', key.id],
      [byKey, 'connector_key.revoke', 'connector_key', key.id],
      [byKey, 'draft.replace', 'connector', connector.id],
      [byKey, 'draft.patch', 'connector', connector.id],
      [byKey, 'connector.publish', 'connector', connector.id],
      [byKey, 'draft.reset', 'connector', connector.id],
      [byKey, 'draft.restore', 'connector', connector.id],
      [byKey, 'credential.rotate', 'credential', credential.id],
      [byKey, 'connector.delete', 'connector', connector.id],
      [byKey, 'credential.delete', 'credential', credential.id],
      [byUser, 'org_key.revoke', 'org_key', orgKey.id],
      ['operator null operator', 'organization.update', 'organization', org],
      [byUser, 'session.create', 'session', sessionId],
      [byUser, 'session.end', 'session', sessionId],
    ].map((parts) => [...parts, 'done']),
  );
  expect(entries.find(({ action }) => action === 'connector.publish')).toMatchObject({
    ip: '203.0.113.7',
    request_id: 'publish-1',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    reason: null,
  });

  const signUp = await lab
    .api()
    .post('/api/auth/signup')
    .send({ email: 'new@audit.example', password, organization_name: 'X' })
    .expect(201);
  const fresh = lab.as(signUp.body.access_token);
  const { items } = (await fresh.get(`/api/orgs/${signUp.body.organization_id}/audit`).expect(200)).body;
  expect(items).toMatchObject([
    {
      action: 'account.create',
      actor: { type: 'user', id: signUp.body.user_id, label: 'new@audit.example' },
      target: { type: 'organization', id: signUp.body.organization_id },
    },
  ]);

  for (const { action } of [...entries, ...(items as Entry[])]) told.add(action);
});

/** A record that failed, as the runner and the event index keep it. */
async function failedRecord(organizationId: string, connectorId: string): Promise<string> {
  const store = createRunStore(lab.pool);
  const unit = { eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' };
  const createdAt = new Date(Date.now() - 60_000).toISOString();
  const lane = `${connectorId}:customer:C-1`;
  await createEventIndex(lab.pool).write([anIndexRow({ ...unit, connectorId, acceptedAt: createdAt, lane })]);
  const row = aRow(unit, { status: 'failed', replayable: true, organizationId, connectorId, createdAt });
  const lease = await ownPartition(store);
  await store.settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [row] } })]);
  return row.id;
}

test('each change of the parts of a connector is logged', async () => {
  const owner = await lab.owner();
  const { accessToken } = lab.simulator.state.addPortal(9_100_001, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const data = { access_token: accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const at = `/api/connectors/${id}`;
  const webhook = { type: 'webhook', config: { event_type_path: '$.type' } };
  await owner.put(`${at}/draft`, contactConfig).expect(200);
  await owner.put(`${at}/draft/sources/hook`, webhook).expect(200);
  await owner.put(`${at}/draft/sources/changes`, { type: 'crm', config: {} }).expect(200);
  await owner.put(`${at}/draft/sources/list`, { type: 'file', config: {} }).expect(200);
  await owner.put(`${at}/draft/sources/ticks`, { type: 'scheduled', config: { schedule: '0 9 * * *' } }).expect(200);
  await owner.post(`${at}/provision`, {}).expect(200);
  await owner.post(`${at}/publish`, {}).expect(200);
  await owner.put(`${at}/draft/entities/other`, { schemas: { crm: { object_type: 'deals' } } }).expect(200);
  await owner.post(`${at}/draft/entities/customer/discard`, {}).expect(200);
  await owner.delete(`${at}/draft/entities/other`).expect(200);
  await owner.put(`${at}/draft/flows/other`, { ...contactConfig.flows[0], name: 'other', event_type: 'x' }).expect(200);
  await owner.delete(`${at}/draft/flows/other`).expect(200);
  await owner.patch(`${at}/draft/settings`, { note: 'x' }).expect(200);
  await owner.patch(`${at}/draft/sources/hook`, { config: { dedupe_header: 'x-id' } }).expect(200);
  await owner.patch(`${at}/sources/hook`, { enabled: false }).expect(200);
  await owner.post(`${at}/sources/hook/rotate-secret`).expect(200);
  await owner.post(`${at}/sources/ticks/poll`).expect(202);
  await owner.post(`${at}/sources/changes/resume`).expect(202);
  await owner.post(`${at}/sources/list/files`).attach('file', Buffer.from('id\n1\n'), 'a.csv').expect(202);
  await owner.delete(`${at}/draft/sources/hook`).expect(200);
  await owner.post(`${at}/sources`, { name: 'second', ...webhook }).expect(202);
  await owner.delete(`${at}/sources/second`).expect(200);
  const secret = { secret: 'k9-legacy-secret', label: 'old shop' };
  const compatKey = (await owner.post(`${at}/compat-keys`, secret).expect(201)).body;
  await owner.delete(`${at}/compat-keys/${compatKey.id}`).expect(204);
  const contact = { method: 'POST', body: JSON.stringify({ properties: { phone: '1', firstname: 'Ada' } }) };
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  expect((await fetch(`${lab.crmUrl}/crm/v3/objects/contacts`, { ...contact, headers })).status).toBe(201);
  const adopted = { entity_type: 'customer', match_property: 'phone', match_value: '1', external_id: 'ada@shop.example' };
  expect((await owner.post(`${at}/identity/adopt`, adopted).expect(200)).body.status).toBe('adopted');
  const mapping = 'entity_type=customer&external_id=ada@shop.example';
  await owner.delete(`${at}/identity-mappings/record?${mapping}`).expect(204);
  const { portal_id: portalId } = (await owner.get(at).expect(200)).body;
  const mappings = [{ entity_type: 'customer', external_id: 'ada@shop.example', crm_id: '1' }];
  await owner.post(`${at}/identity-mappings`, { portal_id: portalId, mappings }).expect(200);
  const recordId = await failedRecord(owner.organizationId, id);
  await owner.post(`${at}/sync-events/${recordId}/replay`).expect(202);

  const entries = (await logOf(owner)).filter(({ action }) => !told.has(action));
  expect(entries.map(({ action, target, outcome }) => [action, target.type, target.id, outcome])).toEqual(
    [
      ['draft.put_source', 'connector', id],
      ['draft.put_source', 'connector', id],
      ['draft.put_source', 'connector', id],
      ['draft.put_source', 'connector', id],
      ['connector.provision', 'connector', id],
      ['draft.put_entity', 'connector', id],
      ['draft.discard_entity', 'connector', id],
      ['draft.delete_entity', 'connector', id],
      ['draft.put_flow', 'connector', id],
      ['draft.delete_flow', 'connector', id],
      ['draft.patch_settings', 'connector', id],
      ['draft.patch_source', 'connector', id],
      ['source.update', 'connector', id],
      ['source.rotate_secret', 'connector', id],
      ['source.poll', 'connector', id],
      ['source.resume', 'connector', id],
      ['source.upload_file', 'connector', id],
      ['draft.delete_source', 'connector', id],
      ['source.create', 'connector', id],
      ['source.delete', 'connector', id],
      ['compat_key.create', 'compat_key', compatKey.id],
      ['compat_key.revoke', 'compat_key', compatKey.id],
      ['identity.adopt', 'connector', id],
      ['identity.remove', 'connector', id],
      ['identity.restore', 'connector', id],
      ['record.replay', 'sync_event', recordId],
    ].map((parts) => [...parts, 'done']),
  );
  for (const { action } of entries) told.add(action);
});

test('what an operator reads of an organization is logged there, its mails too', async () => {
  const owner = await lab.owner();
  const before = (await logOf(owner)).length;
  await lab.operator.get(`/operator/organizations/${owner.organizationId}`).expect(200);
  await lab.operator.get(`/operator/outbox?to=${owner.email}`).expect(200);
  await lab.operator.get('/operator/outbox?to=nobody@shop.example').expect(200);
  await lab.operator.get('/operator/overview').expect(200);
  const operator = { type: 'operator', id: null, label: 'operator' };
  expect((await logOf(owner)).slice(before)).toMatchObject([
    { actor: operator, action: 'organization.read', target: { type: 'organization', id: owner.organizationId }, outcome: 'done' },
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

test('each change of an organization, its members and accounts is logged', async () => {
  const owner = await lab.owner();
  const at = `/api/orgs/${owner.organizationId}`;
  await owner.patch(at, { name: 'Other' }).expect(200);
  await owner.post(`${at}/close`, { password }).expect(200);
  await owner.post(`${at}/reopen`).expect(200);
  const invited = (await owner.post(`${at}/invitations`, { email: 'one@audit.example', role: 'member' }).expect(201)).body;
  await owner.delete(`${at}/invitations/${invited.id}`).expect(204);
  const again = (await owner.post(`${at}/invitations`, { email: 'two@audit.example', role: 'member' }).expect(201)).body;
  const token = await lab.tokenTo('two@audit.example');
  const joined = (await lab.api().post(`/api/invitations/${token}/accept`).send({ name: 'Two', password }).expect(200)).body;
  await owner.patch(`${at}/members/${joined.user_id}`, { role: 'owner' }).expect(200);
  await owner.delete(`${at}/members/${joined.user_id}`).expect(204);
  await owner.patch('/api/me', { name: 'Ada' }).expect(200);
  const second = (await owner.post('/api/orgs', { name: 'Second' }).expect(201)).body;
  const there = (await owner.put('/api/me/active-organization', { organization_id: second.id }).expect(200)).body;

  const entries = (await logOf({ ...owner, ...lab.as(there.access_token), organizationId: second.id })).map(shown);
  const session = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
  const mine = `user ${owner.email}`;
  expect(entries).toEqual([
    [mine, 'organization.create', 'organization', second.id, 'done'], [mine, 'session.update', 'session', session, 'done'],
  ]);
  await lab.as(there.access_token).put('/api/me/active-organization', { organization_id: owner.organizationId }).expect(200);
  const before = (await logOf(owner)).map(shown);
  const org = owner.organizationId;
  expect(before.slice(2)).toEqual([
    [mine, 'organization.update', 'organization', org, 'done'], [mine, 'organization.close', 'organization', org, 'done'],
    [mine, 'organization.reopen', 'organization', org, 'done'], [mine, 'invitation.create', 'invitation', invited.id, 'done'],
    [mine, 'invitation.revoke', 'invitation', invited.id, 'done'], [mine, 'invitation.create', 'invitation', again.id, 'done'],
    ['user two@audit.example', 'invitation.accept', 'invitation', again.id, 'done'],
    [mine, 'member.update', 'user', joined.user_id, 'done'], [mine, 'member.remove', 'user', joined.user_id, 'done'],
    [mine, 'account.update', 'user', owner.userId, 'done'], [mine, 'session.update', 'session', session, 'done'],
  ]);
  for (const [, action] of before) told.add(action as string);
});

test('a sign-in is logged in every organization of the account, a wrong one too', async () => {
  const [owner, other] = [await lab.owner(), await lab.owner()];
  await lab.member(other.organizationId, owner.userId);
  await lab.api().post('/api/auth/login').send({ email: owner.email, password }).expect(200);
  await lab.api().post('/api/auth/login').send({ email: owner.email, password: 'not the password' }).expect(401);
  const mine = `user ${owner.email}`;
  const session = expect.any(String) as unknown;
  for (const reader of [owner, other]) {
    const ofAda = (await logOf(reader)).map(shown).filter(
      ([actor, action]) => actor === mine && action === 'session.create',
    ).slice(-2);
    expect(ofAda).toEqual([[mine, 'session.create', 'session', session, 'done'],
      [mine, 'session.create', 'session', null, 'refused']]);
  }
});

test('an address that is verified is logged', async () => {
  const ada = await lab.signUp('ada@audit.example');
  await lab.api().post('/api/auth/verify-email').send({ token: await lab.tokenTo(ada.email) }).expect(204);
  expect((await logOf(ada)).map(shown).at(-1)).toEqual([`user ${ada.email}`, 'account.verify_email', 'user', ada.userId, 'done']);
  told.add('account.verify_email');
});

test('passwords, addresses and sessions: each change is logged, and what an operator does with an account', async () => {
  const ada = await lab.owner();
  const [better, address] = ['purple giraffe on stilts', `new.${ada.email}`];
  await ada.post('/api/me/password', { current_password: 'not the password', new_password: better }).expect(401);
  await ada.post('/api/me/password', { current_password: password, new_password: better }).expect(204);
  await ada.post('/api/me/email', { new_email: address, password: better }).expect(202);
  await ada.post('/api/me/email/confirm', { token: await lab.tokenTo(address) }).expect(204);
  const other = await lab.api().post('/api/auth/login').send({ email: address, password: better }).expect(200);
  const [{ id: session }] = (await lab.as(other.body.access_token).get('/api/me/sessions').expect(200)).body.items;
  await ada.delete(`/api/me/sessions/${session}`).expect(204);
  await lab.operator.get(`/operator/users?email=${address}`).expect(200);
  await lab.operator.patch(`/operator/users/${ada.userId}`, { deactivated: false }).expect(200);
  await lab.api().post('/api/auth/password-reset').send({ email: address }).expect(202);
  const reset = { token: await lab.tokenTo(address), new_password: password };
  await lab.api().post('/api/auth/password-reset/confirm').send(reset).expect(204);
  const login = await lab.api().post('/api/auth/login').send({ email: address, password }).expect(200);
  const again = { ...lab.as(login.body.access_token), organizationId: ada.organizationId };
  await again.post(`/api/orgs/${ada.organizationId}/close`, { password }).expect(200);

  const entries = (await logOf(again)).map(shown).slice(2);
  const [before, after, user] = [`user ${ada.email}`, `user ${address}`, ada.userId];
  expect(entries).toEqual([
    [before, 'account.change_password', 'user', user, 'refused'], [before, 'account.change_password', 'user', user, 'done'],
    [before, 'account.change_email', 'user', user, 'done'], [before, 'account.change_email', 'user', user, 'done'],
    [after, 'session.create', 'session', session, 'done'], [after, 'session.revoke', 'session', session, 'done'],
    ['operator operator', 'account.read', 'user', user, 'done'], [
      'operator operator', 'account.deactivate', 'user', user, 'done',
    ],
    ['operator operator', 'outbox.read', 'user', user, 'done'], [after, 'account.reset_password', 'user', user, 'done'],
    [after, 'session.create', 'session', expect.any(String), 'done'],
    [after, 'organization.close', 'organization', ada.organizationId, 'done'],
  ]);
  for (const [, action] of entries) told.add(action as string);
});

test('a second factor: each change, and the second step of a sign-in, a wrong one too', async () => {
  const ada = await lab.owner();
  const { secret } = (await ada.post('/api/me/mfa/enroll').expect(200)).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: lab.kv.now });
  const { recovery_codes: codes } = (await ada.post('/api/me/mfa/confirm', { code }).expect(200)).body;
  const { mfa_token } = (await lab.api().post('/api/auth/login').send({ email: ada.email, password }).expect(200)).body;
  await lab.api().post('/api/auth/login/mfa').send({ mfa_token, code: 'wrong' }).expect(401);
  await lab.api().post('/api/auth/login/mfa').send({ mfa_token, code: codes[0] }).expect(200);
  const fresh = (await ada.post('/api/me/mfa/recovery-codes', { password, code: codes[1] }).expect(200)).body.recovery_codes;
  await ada.post('/api/me/mfa/disable', { password, code: fresh[0] }).expect(204);
  const [mine, user] = [`user ${ada.email}`, ada.userId];
  const entries = (await logOf(ada)).map(shown).slice(2);
  expect(entries).toEqual([
    [mine, 'mfa.enroll', 'user', user, 'done'], [mine, 'mfa.enable', 'user', user, 'done'],
    [mine, 'session.create', 'session', null, 'refused'], [mine, 'session.create', 'session', expect.any(String), 'done'],
    [mine, 'mfa.recovery_codes', 'user', user, 'done'], [mine, 'mfa.disable', 'user', user, 'done'],
  ]);
  for (const [, action] of entries) told.add(action as string);
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

test('a deleted account is logged in its organizations', async () => {
  const owner = await lab.owner();
  const leaver = await lab.owner();
  await lab.member(owner.organizationId, leaver.userId);
  await leaver.post(`/api/orgs/${leaver.organizationId}/close`, { password }).expect(200);
  await leaver.delete('/api/me', { password }).expect(204);
  expect((await logOf(owner)).map(shown).at(-1)).toEqual(
    [`user ${leaver.email}`, 'account.delete', 'user', leaver.userId, 'done'],
  );
  told.add('account.delete');
});

test('what is refused of an invitation is logged where it leads', async () => {
  const [owner, stranger] = [await lab.owner(), await lab.owner()];
  const guest = await lab.owner();
  await owner.post(`/api/orgs/${owner.organizationId}/invitations`, { email: guest.email, role: 'member' }).expect(201);
  const token = await lab.tokenTo(guest.email);
  await stranger.post(`/api/invitations/${token}/accept`).expect(403);
  const [refused] = (await logOf(owner)).slice(-1);
  expect(refused).toMatchObject({
    action: 'invitation.accept', outcome: 'refused', reason: 'invitation_for_other_account', actor: { id: stranger.userId },
  });
  expect((await logOf(stranger)).map(({ action }) => action)).not.toContain('invitation.accept');
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
  const owner = await lab.owner();
  const portal = lab.simulator.state.addPortal(9_100_002, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const data = { access_token: portal.accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  await owner.put(`/api/connectors/${connector.id}/draft`, contactConfig).expect(200);
  await owner.post(`/api/connectors/${connector.id}/publish`, {}).expect(200);
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
  const owner = await lab.owner();
  const portal = lab.simulator.state.addPortal(9_100_003, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  const data = { access_token: portal.accessToken };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  const connector = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  await owner.put(`/api/connectors/${connector.id}/draft`, contactConfig).expect(200);
  await owner.post(`/api/connectors/${connector.id}/publish`, {}).expect(200);
  const before = (await logOf(owner)).length;
  const at = `/api/connectors/${connector.id}/verifications`;
  const { id } = (await owner.post(at, { entity: 'customer', external_ids: ['C-1'] }).expect(202)).body;
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

test('every route that changes something is covered', () => {
  const audited = Object.values<unknown>(configRoutes)
    .filter((route): route is RouteContract => typeof (route as RouteContract).audit?.action === 'string')
    .filter(({ audit }) => audit!.read !== true);
  expect(audited.map(({ audit }) => audit!.action).filter((action) => !told.has(action))).toEqual([]);
});

test('refusals are logged with their reason, also wrong sign-ins; nothing changes, and no read is logged', async () => {
  const [owner, other] = [await lab.owner('free'), await lab.owner()];
  const orgKey = (await owner.post('/api/org-api-keys', { label: 'deploy' }).expect(201)).body;
  const api = lab.as(orgKey.raw_key);
  const before = (await logOf(owner)).length;
  await api.post('/api/org-api-keys', { label: 'more' }).expect(403);
  await api.post('/api/connectors', { name: '' }).expect(422);
  await api.patch('/api/connectors/5f0c1c9e-0000-4000-8000-000000000001', { name: 'x' }).expect(404);
  await api.post('/api/connectors', { name: 'One' }).expect(201);
  await api.post('/api/connectors', { name: 'Two' }).expect(402);
  await lab
    .api()
    .post('/api/auth/login')
    .set('x-forwarded-for', '203.0.113.9')
    .send({ email: owner.email, password: 'not the password' })
    .expect(401);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { tier: 'gold' }).expect(422);
  await api.get('/api/connectors').expect(200);
  const refused = (await logOf(owner))
    .slice(before)
    .map(({ actor, action, target, ip, outcome, reason }) => [actor.type, actor.id, action, target.id, ip, outcome, reason]);
  const key = ['org_key', orgKey.id];
  expect(refused).toEqual([
    [...key, 'org_key.create', null, expect.any(String), 'refused', 'owner_required'],
    [...key, 'connector.create', null, expect.any(String), 'refused', 'validation'],
    [...key, 'connector.update', '5f0c1c9e-0000-4000-8000-000000000001', expect.any(String), 'refused', 'connector_not_found'],
    [...key, 'connector.create', expect.any(String), expect.any(String), 'done', null],
    [...key, 'connector.create', null, expect.any(String), 'refused', 'connector_limit_reached'],
    ['user', null, 'session.create', null, '203.0.113.9', 'refused', 'Invalid credentials'],
    ['operator', null, 'organization.update', owner.organizationId, expect.any(String), 'refused', 'validation'],
  ]);
  expect((await logOf(other)).map(({ action }) => action)).toEqual(['organization.create', 'session.create']);
});

test('refusals do not fill the log', async () => {
  const owner = await lab.owner();
  for (let done = 0; done < 130; done += 10)
    await Promise.all(Array.from({ length: 10 }, () => owner.post('/api/connectors', { name: '' }).expect(422)));
  const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/audit?limit=200&action=connector.create`).expect(200))
    .body;
  expect(items).toHaveLength(120);
  await owner.post('/api/org-api-keys', { label: '' }).expect(422);
  expect((await logOf(owner)).at(-1)).toMatchObject({ action: 'org_key.create', outcome: 'refused' });
});

test('a stranger neither silences the log of an organization nor speaks in it', async () => {
  const owner = await lab.owner();
  const before = await logOf(owner);
  const path = `/operator/organizations/${owner.organizationId}`;
  for (let done = 0; done < 130; done += 10)
    await Promise.all(Array.from({ length: 10 }, () => lab.api().patch(path).send({ tier: 'free' }).expect(401)));
  await lab.as('not-the-operator-token').patch(path, { tier: 'free' }).set('x-forwarded-for', '203.0.113.50').expect(401);
  await lab.as('not-the-operator-token').get(path).set('x-forwarded-for', '203.0.113.50').expect(401);
  expect(await logOf(owner)).toEqual(before);
  expect(lab.lines.filter(({ message }) => message === "a call of the operator's routes was refused")).toHaveLength(132);
  await lab.api().post('/api/auth/login').send({ email: owner.email, password: 'not the password' }).expect(401);
  expect((await logOf(owner)).slice(before.length)).toMatchObject([
    { actor: { type: 'user', id: null, label: owner.email }, action: 'session.create', outcome: 'refused' },
  ]);
});

test('the throttle of sign-ins leaves an entry when it begins to refuse', async () => {
  const owner = await lab.owner();
  const before = (await logOf(owner)).length;
  const signIn = (status: number) => lab.api().post('/api/auth/login').set('x-forwarded-for', '203.0.113.77')
    .send({ email: owner.email, password: 'not the password' }).expect(status);
  for (const status of [401, 401, 401, 401, 401, 429, 429]) await signIn(status);
  const entries = (await logOf(owner)).slice(before);
  expect(entries.filter(({ action }) => action === 'session.create')).toHaveLength(5);
  expect(entries.filter(({ action }) => action !== 'session.create')).toMatchObject([{
    actor: { type: 'user', id: null }, action: 'session.throttle', target: { type: 'user', id: owner.userId },
    ip: '203.0.113.77', outcome: 'refused', reason: 'too_many_attempts',
  }]);
});

test('the log is read by owners, of their own organization, in pages and by time', async () => {
  const [owner, other] = [await lab.owner(), await lab.owner()];
  for (const label of ['a', 'b', 'c']) await owner.post('/api/org-api-keys', { label }).expect(201);
  const path = `/api/orgs/${owner.organizationId}/audit`;
  const key = lab.as((await owner.post('/api/org-api-keys', { label: 'd' }).expect(201)).body.raw_key);
  expect((await key.get(path).expect(403)).body).toEqual({ detail: { error: 'owner_required' } });
  expect((await other.get(path).expect(404)).body).toEqual({ detail: 'Not Found' });
  const first = (await owner.get(`${path}?limit=3&action=org_key.create`).expect(200)).body;
  const second = (await owner.get(`${path}?limit=3&action=org_key.create&cursor=${first.next_cursor}`).expect(200)).body;
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([3, 1, null]);
  expect((await owner.get(`${path}?since=2999-01-01T00:00:00Z`).expect(200)).body.items).toEqual([]);
  expect((await owner.get(`${path}?until=2020-01-01T00:00:00Z`).expect(200)).body.items).toEqual([]);
  await owner.get(`${path}?since=yesterday`).expect(422);
});
