import { eventually } from '@sluice/testkit';
import { contactConfig } from './test-support/contact-config';
import { startLab } from './test-support/lab';

/** The steps of a new user in the config plane, which `npm start` and the demo rely on. */
let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

test('sign up, connect the CRM, create connector and key, publish: other services get the change in two seconds', async () => {
  const signUp = await lab
    .api()
    .post('/api/auth/signup')
    .send({ email: 'Ada@Shop.Example', password: 'long enough 1', organization_name: ' Ada ' })
    .expect(201);
  const ada = lab.as(signUp.body.access_token);
  await lab.api().post('/api/auth/verify-email').send({ token: await lab.tokenTo('ada@shop.example') }).expect(204);
  const { raw_key: rawKey } = (await ada.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body;
  const key = lab.as(rawKey);
  const credential = (
    await key
      .post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: 'sim-access-1000001' } })
      .expect(201)
  ).body;
  expect(credential.portal_id).toBe('1000001');
  const connector = (
    await key
      .post('/api/connectors', { name: 'Shop', credential_id: credential.id, create_api_key: true, api_key_label: 'shop' })
      .expect(201)
  ).body;
  expect(connector.api_key.raw_key).toMatch(/^slc_/);
  await key.put(`/api/connectors/${connector.id}/draft`, contactConfig).expect(200);
  const published = (await key.post(`/api/connectors/${connector.id}/publish`, { change_summary: 'first' }).expect(200)).body;
  expect(published).toMatchObject({
    version: 1,
    is_active: true,
    no_changes: false,
    change_summary: 'first',
    provisioned: [{ entity: 'customer', object_type: 'contacts', created: ['shop_id'], skipped_existing: ['email'] }],
  });
  const change = await eventually(() => {
    const newest = lab.change(connector.id);
    if (newest?.active_version !== 1) throw new Error('the publish has not reached the topic');
    return newest;
  });
  expect(change).toMatchObject({
    v: 1, organization_id: signUp.body.organization_id, deleted: false, status: 'active', ordering: 'record', width: 1,
    keys: [{ id: connector.api_key.id, expires_at: null }], organization: { tier: 'trial', state: 'active' },
    binding: { credential_id: credential.id, portal_id: '1000001', epoch: 1 },
  });
  expect(await lab.configReader.connector(connector.id)).toEqual(change);
  expect(await lab.configReader.connectorByKeyHash(change.keys[0]!.hash)).toEqual({ change, key: change.keys[0] });
  expect(await lab.configReader.flowIndex(connector.id, 1)).toEqual([
    { name: 'customers', source: 'event_api', source_type: 'event_api', event_type: 'customer_synced', enabled: true },
  ]);
  expect(await lab.configReader.versionConfig(connector.id, 1)).toEqual(contactConfig);
  expect(await lab.configReader.crmAccess(credential.id)).toMatchObject({
    portalId: '1000001',
    accessToken: 'sim-access-1000001',
  });
});
