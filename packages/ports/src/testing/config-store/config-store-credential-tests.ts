import { randomUUID } from 'node:crypto';
import type { ConnectorRow } from '../../config-store';
import type { ConfigStoreLab } from './config-store-lab';
import { aConnector, aCredential, createFeed, everything, newConnector, newCredential, ok, signUp } from './config-store-lab';

/** Credentials, and the portal bindings that follow from them. */
export function configCredentialTests(lab: () => ConfigStoreLab): void {
  const credentials = () => lab().store.credentials;
  const organization = async (): Promise<string> => (await signUp(lab())).organizationId;
  const bindingOf = async ({ organizationId, id }: ConnectorRow) =>
    (await lab().store.connectors.get(organizationId, id))?.binding ?? null;
  const move = (connector: ConnectorRow, credentialId: string | null, confirmRebind = false) =>
    lab().store.connectors.update(connector.organizationId, connector.id, { credentialId, confirmRebind, updatedById: null });
  const connectorSide = { credentialType: 'http_api', portalId: null };

  it('keeps a credential without showing what is sealed', async () => {
    const organizationId = await organization();
    const id = await aCredential(lab(), organizationId, { sealed: 'the-sealed-data', scopes: ['a', 'b'] });
    const row = {
      id,
      name: 'Portal',
      credentialType: 'crm_oauth',
      portalId: '77',
      scopes: ['a', 'b'],
      allowedHosts: null,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    };
    expect(await credentials().get(organizationId, id)).toEqual(row);
    expect(await credentials().list(organizationId, everything)).toEqual({ items: [row], total: 1 });
    expect(await credentials().get(await organization(), id)).toBeNull();
    expect(await credentials().create(newCredential(randomUUID()))).toEqual({ ok: false, reason: 'not_found' });
  });

  it('has one connector-side credential per name and organization, also of two at once; the CRM\'s may share names', async () => {
    const [organizationId, elsewhere] = [await organization(), await organization()];
    const shop = () => newCredential(organizationId, { name: 'shop', ...connectorSide });
    const answers = await Promise.all([credentials().create(shop()), lab().other.credentials.create(shop())]);
    expect(answers.filter((answer) => !answer.ok)).toEqual([{ ok: false, reason: 'name_taken' }]);
    const erp = await aCredential(lab(), organizationId, { name: 'erp', ...connectorSide });
    expect(await credentials().rotate(organizationId, erp, { name: 'shop', sealed: 's', updatedById: null })).toEqual({
      ok: false,
      reason: 'name_taken',
    });
    await aCredential(lab(), elsewhere, { name: 'shop', ...connectorSide });
    await aCredential(lab(), organizationId, { name: 'shop' });
    await aCredential(lab(), organizationId, { name: 'shop' });
    expect((await credentials().names(organizationId)).sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'erp', credentialType: 'http_api', allowedHosts: null },
      { name: 'shop', credentialType: 'http_api', allowedHosts: null },
    ]);
  });

  it('keeps the hosts that a credential may be sent to, until it is given others or none', async () => {
    const organizationId = await organization();
    const id = await aCredential(lab(), organizationId, { name: 'erp', ...connectorSide, allowedHosts: ['erp.example', '*.eu'] });
    const rotate = async (allowedHosts?: string[] | null) => {
      const answer = await credentials().rotate(organizationId, id, { sealed: 's', allowedHosts, updatedById: null });
      return ok(answer).credential.allowedHosts;
    };
    expect((await credentials().get(organizationId, id))?.allowedHosts).toEqual(['erp.example', '*.eu']);
    expect(await rotate()).toEqual(['erp.example', '*.eu']);
    expect(await rotate(['other.example'])).toEqual(['other.example']);
    expect(await credentials().names(organizationId)).toMatchObject([{ name: 'erp', allowedHosts: ['other.example'] }]);
    expect(await rotate(null)).toBeNull();
  });

  it('puts new data in place, and refuses a token of another portal', async () => {
    const organizationId = await organization();
    const id = await aCredential(lab(), organizationId, { scopes: ['old'] });
    const rotated = ok(
      await credentials().rotate(organizationId, id, {
        sealed: 'new',
        portalId: '77',
        scopes: ['new'],
        name: 'Renamed',
        updatedById: null,
      }),
    );
    expect(rotated.credential).toMatchObject({ id, name: 'Renamed', portalId: '77', scopes: ['new'] });
    expect(await credentials().rotate(organizationId, id, { sealed: 'new', portalId: '78', updatedById: null })).toEqual({
      ok: false,
      reason: 'portal_changed',
    });
    expect(await credentials().get(organizationId, id)).toEqual(rotated.credential);
    expect(await credentials().rotate(await organization(), id, { sealed: 'new', portalId: '77', updatedById: null })).toEqual({
      ok: false,
      reason: 'not_found',
    });
  });

  it('keeps to the limit of portals; one that is connected already never counts', async () => {
    const organizationId = await organization();
    await aCredential(lab(), organizationId, { portalId: '1', portalsLimit: 1 });
    await aCredential(lab(), organizationId, { portalId: '1', portalsLimit: 1 });
    expect(await credentials().create(newCredential(organizationId, { portalId: '2', portalsLimit: 1 }))).toEqual({
      ok: false,
      reason: 'limit_reached',
      usage: 1,
    });
    await aCredential(lab(), organizationId, { ...connectorSide, portalsLimit: 1 });
  });

  it('binds connectors without a credential of their own to the organization\'s only portal', async () => {
    const organizationId = await organization();
    const connector = await aConnector(lab(), { organizationId });
    const first = await aCredential(lab(), organizationId, { portalId: '1' });
    expect(await createFeed(lab()).last(connector.id)).toMatchObject({
      revision: 2,
      binding: { credential_id: first, portal_id: '1', epoch: 1 },
    });
    const second = await aCredential(lab(), organizationId, { portalId: '2' });
    expect(await createFeed(lab()).last(connector.id)).toMatchObject({ revision: 3, binding: null });
    expect(await credentials().delete(organizationId, second)).toBe(true);
    expect(await createFeed(lab()).last(connector.id)).toMatchObject({
      revision: 4,
      binding: { credential_id: first, portal_id: '1', epoch: 1 },
    });
    expect((await aConnector(lab(), { organizationId })).binding).toEqual({ credentialId: first, portalId: '1', epoch: 1 });
    expect([await credentials().delete(organizationId, second), await credentials().delete(await organization(), first)]).toEqual(
      [false, false],
    );
  });

  it('binds a connector to its own credential, which must be the organization\'s and the CRM\'s', async () => {
    const organizationId = await organization();
    const own = await aCredential(lab(), organizationId, { portalId: '1' });
    await aCredential(lab(), organizationId, { portalId: '2' });
    const connector = await aConnector(lab(), { organizationId, credentialId: own });
    expect(connector).toMatchObject({ credentialId: own, binding: { credentialId: own, portalId: '1', epoch: 1 } });
    const foreign = await aCredential(lab(), await organization());
    const notTheCrms = await aCredential(lab(), organizationId, { name: 'shop', ...connectorSide });
    for (const bad of [foreign, notTheCrms, randomUUID()]) {
      expect(await move(connector, bad)).toEqual({ ok: false, reason: 'bad_credential' });
      expect(await lab().store.connectors.create(newConnector(organizationId, { credentialId: bad }))).toEqual({
        ok: false,
        reason: 'bad_credential',
      });
    }
    expect(await bindingOf(connector)).toEqual(connector.binding);
  });

  it('moves to another portal only when confirmed: the mappings go with the move', async () => {
    const organizationId = await organization();
    const [one, two, again] = [
      await aCredential(lab(), organizationId, { portalId: '1' }),
      await aCredential(lab(), organizationId, { portalId: '2' }),
      await aCredential(lab(), organizationId, { portalId: '1' }),
    ];
    const connector = await aConnector(lab(), { organizationId, credentialId: one });
    await lab().addMappings(connector.id, 3);
    expect(await move(connector, two)).toEqual({
      ok: false,
      reason: 'rebind_confirmation_required',
      oldPortalId: '1',
      newPortalId: '2',
      mappings: 3,
    });
    expect([await lab().mappings(connector.id), await bindingOf(connector)]).toEqual([3, connector.binding]);
    expect(ok(await move(connector, again)).connector.binding).toEqual({ credentialId: again, portalId: '1', epoch: 1 });
    expect(await lab().mappings(connector.id)).toBe(3);
    expect(ok(await move(connector, two, true)).connector.binding).toEqual({ credentialId: two, portalId: '2', epoch: 2 });
    expect(await lab().mappings(connector.id)).toBe(0);
    expect(await createFeed(lab()).last(connector.id)).toMatchObject({
      binding: { credential_id: two, portal_id: '2', epoch: 2 },
    });
  });

  it('unbinds the connectors of a credential that is deleted; those with mappings drift to no other portal', async () => {
    const organizationId = await organization();
    const old = await aCredential(lab(), organizationId, { portalId: '1' });
    const [chosen, mapped] = [
      await aConnector(lab(), { organizationId, credentialId: old }),
      await aConnector(lab(), { organizationId }),
    ];
    await lab().addMappings(mapped.id, 1);
    expect(await credentials().delete(organizationId, old)).toBe(true);
    expect(await lab().store.connectors.get(organizationId, chosen.id)).toMatchObject({ credentialId: null, binding: null });
    expect(await bindingOf(mapped)).toBeNull();
    const next = await aCredential(lab(), organizationId, { portalId: '2' });
    expect(await bindingOf(chosen)).toEqual({ credentialId: next, portalId: '2', epoch: 2 });
    expect([await bindingOf(mapped), await lab().mappings(mapped.id)]).toEqual([null, 1]);
    await aCredential(lab(), organizationId, { portalId: '1' });
    await credentials().delete(organizationId, next);
    expect(await bindingOf(mapped)).toMatchObject({ portalId: '1', epoch: 1 });
  });
}
