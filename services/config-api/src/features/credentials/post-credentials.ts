import { randomUUID } from 'node:crypto';
import { configRoutes, planLimits } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { userOf } from '../../auth/principal';
import { credentialRefusal } from './credential-refusal';
import { checkedHosts } from './checked-hosts';
import { sealCredential } from './seal-credential';
import type { CredentialDeps } from './deps';
import { reprovisionConnected } from '../../provisioning/reprovision';
import { upgradeUrl } from '../../plan/upgrade-url';
import { credentialView } from './credential-view';

export function postCredentials(deps: CredentialDeps): HttpRoute {
  return implementRoute(configRoutes.createCredential, {
    authenticate: deps.authenticate,
    handler: async ({ body, principal }) => {
      const id = randomUUID();
      const allowedHosts = checkedHosts(body.credential_type, body.allowed_hosts);
      const secret = await sealCredential(deps, id, body.credential_type, body.data);
      const created = await deps.store.credentials.create({
        ...secret, id, organizationId: principal.organization.id, name: body.name.trim(), credentialType: body.credential_type,
        createdById: userOf(principal), allowedHosts,
        portalsLimit: planLimits(principal.organization).portals_limit,
      });
      if (!created.ok) throw credentialRefusal(created, principal.organization, upgradeUrl(deps));
      if (body.credential_type === 'crm_oauth') await reprovisionConnected(deps, principal.organization.id, id);
      return { status: 201, body: credentialView(created.credential) };
    },
  });
}
