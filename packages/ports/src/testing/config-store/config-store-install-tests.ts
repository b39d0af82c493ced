import { randomUUID } from 'node:crypto';
import type { Attachment, NewInstall } from '../../config-store';
import {
  aConnector, aCredential, aHash, type ConfigStoreLab, everything, newCredential, ok, signUp,
} from './config-store-lab';

/** Installs from the CRM's marketplace: found by their token, taken once, with the connector or not at all. */
export function configInstallTests(lab: () => ConfigStoreLab): void {
  const installs = () => lab().store.installs;
  const anInstall = async (over: Partial<NewInstall> = {}) => {
    const install: NewInstall = {
      id: randomUUID(), tokenHash: aHash(), sealed: 'tokens', portalId: '88', scopes: ['oauth'], tokenExpiresAt: null,
      ttlMs: 3_600_000, ...over,
    };
    await installs().add(install);
    return install;
  };
  const anAttachment = (
    { tokenHash, portalId }: NewInstall, organizationId: string, over: Partial<Attachment> = {},
  ): Attachment => ({ tokenHash, credential: newCredential(organizationId, { portalId }), connector: null, ...over });
  const bind = (id: string, confirmRebind = false) => ({ connector: { id, confirmRebind, updatedById: randomUUID() } });
  const credentialsOf = async (organizationId: string) =>
    (await lab().other.credentials.list(organizationId, everything)).items.map(({ id }) => id);
  const refusalOf = (reason: string) => ({ ok: false, of: 'install', refusal: { ok: false, reason } });

  it('are found by their token until they expire', async () => {
    const { tokenHash: _, ttlMs: __, ...install } = await anInstall();
    expect(await lab().other.installs.find(_)).toEqual({ ok: true, install });
    expect(await installs().find(aHash())).toEqual({ ok: false, reason: 'install_not_found' });
    const late = await anInstall({ ttlMs: -1 });
    const { organizationId } = await signUp(lab());
    expect(await installs().find(late.tokenHash)).toEqual({ ok: false, reason: 'install_expired' });
    expect(await installs().attach(anAttachment(late, organizationId))).toEqual(refusalOf('install_expired'));
    await installs().sweep(new Date());
    expect(await installs().find(late.tokenHash)).toEqual({ ok: false, reason: 'install_not_found' });
  });

  it('are taken once, by one of two at the same moment', async () => {
    const [install, one, other] = [await anInstall(), await signUp(lab()), await signUp(lab())];
    const both = await Promise.all([one, other].map(({ organizationId }) =>
      installs().attach(anAttachment(install, organizationId))));
    expect(both.map((answer) => answer.ok).sort()).toEqual([false, true]);
    expect(both.find((answer) => !answer.ok)).toEqual(refusalOf('install_consumed'));
    const made = [...(await credentialsOf(one.organizationId)), ...(await credentialsOf(other.organizationId))];
    expect(made).toHaveLength(1);
    expect(await installs().find(install.tokenHash)).toEqual({ ok: false, reason: 'install_consumed' });
  });

  it('bind a connector together with the credential', async () => {
    const { organizationId } = await signUp(lab());
    await aCredential(lab(), organizationId, { portalId: '77' });
    const connector = await aConnector(lab(), { organizationId });
    const attachment = anAttachment(await anInstall(), organizationId, bind(connector.id, true));
    const attached = ok(await installs().attach(attachment));
    expect(attached.connector).toMatchObject({ credentialId: attachment.credential.id, binding: { portalId: '88' } });
    expect(attached.credential).toMatchObject({ id: attachment.credential.id, portalId: '88' });
  });

  it('stay as they are when the plan, the connector or its mappings are in the way', async () => {
    const { organizationId } = await signUp(lab());
    const old = await aCredential(lab(), organizationId, { portalId: '77' });
    const connector = await aConnector(lab(), { organizationId, credentialId: old });
    const install = await anInstall();
    const attach = (over: Partial<Attachment>) => installs().attach(anAttachment(install, organizationId, over));
    const full = newCredential(organizationId, { portalId: '88', portalsLimit: 1 });
    expect(await attach({ credential: full })).toMatchObject(
      { of: 'credential', refusal: { reason: 'limit_reached', usage: 1 } },
    );
    expect(await attach(bind(randomUUID()))).toMatchObject({ of: 'connector', refusal: { reason: 'not_found' } });
    expect(await attach(bind((await aConnector(lab())).id))).toMatchObject({ of: 'connector', refusal: { reason: 'not_found' } });
    expect(await attach(bind(connector.id))).toMatchObject({
      of: 'connector', refusal: { reason: 'rebind_confirmation_required', oldPortalId: '77', newPortalId: '88' },
    });
    expect(await credentialsOf(organizationId)).toEqual([old]);
    expect(await lab().other.connectors.get(organizationId, connector.id)).toMatchObject({ binding: { portalId: '77' } });
    expect(await installs().find(install.tokenHash)).toMatchObject({ ok: true, install: { sealed: 'tokens' } });
    expect(await attach(bind(connector.id, true))).toMatchObject({ ok: true });
  });

  it('of a portal that is connected need no place in the plan, and no confirmation', async () => {
    const { organizationId } = await signUp(lab());
    const old = await aCredential(lab(), organizationId, { portalId: '88' });
    const connector = await aConnector(lab(), { organizationId, credentialId: old });
    const credential = newCredential(organizationId, { portalId: '88', scopes: ['oauth', 'tickets'], portalsLimit: 1 });
    const attached = ok(await installs().attach(
      anAttachment(await anInstall(), organizationId, { credential, ...bind(connector.id) }),
    ));
    expect(attached.credential.scopes).toEqual(['oauth', 'tickets']);
    const binding = { portalId: '88', epoch: connector.binding!.epoch };
    expect(attached.connector).toMatchObject({ credentialId: credential.id, binding });
  });
}
