import { randomUUID } from 'node:crypto';
import { anIndexRow, aRow, aSettlement, ownPartition } from '@sluice/ports/testing';
import { createEventIndex, createRunStore } from '@sluice/store-postgres';
import { contactConfig } from '../../test-support/contact-config';
import { password } from '../../test-support/lab';
import { lab } from '../../test-support/shared-lab';
import { type Entry, logOf, told } from './audit-lab';

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

/** What the audit log says of connectors and their parts. `told` collects the actions: the order of these tests matters. */
export function connectorAuditTests(): void {
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
}
