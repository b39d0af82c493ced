import { randomUUID } from 'node:crypto';
import { configRoutes, planLimits } from '@sluice/contracts';
import { type Attachment, type InstallRow, PurgeFailed } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { actorOf, userOf } from '../../auth/principal';
import { tokenHash } from '../../mails/mail-token';
import { upgradeUrl } from '../../plan/upgrade-url';
import { reprovision, reprovisionConnected } from '../../provisioning/reprovision';
import { connectorRefusal } from '../connectors/connector-refusal';
import { credentialRefusal } from '../credentials/credential-refusal';
import { credentialView } from '../credentials/credential-view';
import type { CrmInstallDeps } from './deps';
import { sealContext } from './get-crm-callback';

export function postInstallAttach(deps: CrmInstallDeps): HttpRoute {
  return implementRoute(configRoutes.attachInstall, {
    authenticate: deps.authenticate,
    handler: async ({ body: { name, connector_id: connectorId, confirm_rebind: confirmRebind = false }, params, principal }) => {
      const { organization } = principal;
      const hash = tokenHash('crm_install', params.token);
      const found = await deps.store.installs.find(hash);
      if (!found.ok) throw apiError(found.reason);
      const attached = await attach(deps, {
        tokenHash: hash, credential: newCredential(deps, found.install, { name, principal }),
        connector: connectorId === undefined ? null : { id: connectorId, confirmRebind, updatedById: actorOf(principal) },
      });
      if (!attached.ok) throw refusalOf(deps, attached, organization);
      const { connector, credential } = attached;
      if (connector) await reprovision(deps, connector);
      await reprovisionConnected(deps, organization.id, credential.id);
      return { status: 201, body: { ...credentialView(credential), connector_id: connector?.id ?? null } };
    },
  });
}

/** The tokens of the install, encrypted for the credential that they become. */
function newCredential(
  { keyring }: Pick<CrmInstallDeps, 'keyring'>,
  { id, sealed, portalId, scopes, tokenExpiresAt }: InstallRow,
  { name, principal }: { name: string; principal: Principal },
): Attachment['credential'] {
  const credentialId = randomUUID();
  const tokens = keyring.decrypt(sealed, sealContext(id));
  return {
    id: credentialId, organizationId: principal.organization.id, name: name.trim(), credentialType: 'crm_oauth',
    sealed: keyring.encrypt(tokens, `credential:${credentialId}`), portalId, scopes, tokenExpiresAt,
    createdById: userOf(principal), portalsLimit: planLimits(principal.organization).portals_limit,
  };
}

type Answer = Awaited<ReturnType<CrmInstallDeps['store']['installs']['attach']>>;

async function attach({ store }: CrmInstallDeps, attachment: Attachment): Promise<Answer> {
  try {
    return await store.installs.attach(attachment);
  } catch (error) {
    // The purge of a confirmed rebind and the rest are one transaction: nothing has changed.
    throw error instanceof PurgeFailed ? apiError('rebind_failed') : error;
  }
}

function refusalOf(
  deps: CrmInstallDeps, answer: Extract<Answer, { ok: false }>, organization: Principal['organization'],
): Error {
  switch (answer.of) {
    case 'install':
      return apiError(answer.refusal.reason);
    case 'credential':
      return credentialRefusal(answer.refusal, organization, upgradeUrl(deps));
    case 'connector':
      return connectorRefusal(answer.refusal, organization, upgradeUrl(deps));
  }
}
