import { setTimeout as sleep } from 'node:timers/promises';
import { configRoutes, type CredentialType } from '@sluice/contracts';
import { changesKeptMs } from '@sluice/ports';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import { actorOf } from '../../auth/principal';
import { credentialRefusal } from './credential-refusal';
import { checkedHosts } from './checked-hosts';
import { sealCredential } from './seal-credential';
import type { CredentialDeps } from './deps';
import { upgradeUrl } from '../../plan/upgrade-url';
import { credentialView } from './credential-view';

export function putCredential(deps: CredentialDeps): HttpRoute {
  return implementRoute(configRoutes.rotateCredential, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal }) => {
      const { organization } = principal;
      const known = await deps.store.credentials.get(organization.id, params.credential_id);
      if (!known) throw apiError('Credential not found');
      if (body.credential_type !== undefined && body.credential_type !== known.credentialType) {
        throw new HttpError(422, [
          validationEntry('body', ['credential_type'], 'immutable', `Stays '${known.credentialType}'`, body.credential_type),
        ]);
      }
      const allowedHosts = checkedHosts(known.credentialType, body.allowed_hosts);
      const secret = await sealCredential(deps, known.id, known.credentialType as CredentialType, body.data);
      const rotated = await deps.store.credentials.rotate(organization.id, known.id, {
        ...secret,
        name: body.name?.trim(),
        allowedHosts,
        updatedById: actorOf(principal),
      });
      if (!rotated.ok) throw credentialRefusal(rotated, organization, upgradeUrl(deps));
      // The next attempt uses the new value: by the answer no process believes the old one any more.
      await sleep(changesKeptMs);
      return { status: 200, body: credentialView(rotated.credential) };
    },
  });
}
