import { configRoutes } from '@sluice/contracts';
import { PurgeFailed, StoreUnavailable } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { actorOf } from '../../auth/principal';
import type { ConnectorDeps } from './deps';
import { connectorAnswer } from './connector-answer';
import { connectorRefusal } from './connector-refusal';
import { refuseFunctionsOfOthers } from '../plugins/resolution/refuse-functions-of-others';
import { upgradeUrl } from '../../plan/upgrade-url';
import { orderingWarnings } from './ordering-warnings';
import { reprovision } from '../../provisioning/reprovision';

export function patchConnector(deps: ConnectorDeps): HttpRoute {
  return implementRoute(configRoutes.updateConnector, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      wide.add({ connector_id: params.connector_id });
      const {
        name,
        status,
        settings,
        default_store_id: storeId,
        credential_id: credentialId,
        confirm_rebind: confirmRebind,
      } = body;
      if (settings !== undefined) await refuseFunctionsOfOthers(deps, principal.organization.id, settings);
      const change = {
        name: name?.trim(),
        status,
        settings,
        defaultStoreId: storeId?.trim() ?? storeId,
        credentialId,
        confirmRebind,
        updatedById: actorOf(principal),
      };
      const updated = await deps.store.connectors
        .update(principal.organization.id, params.connector_id, change)
        .catch((error: unknown) => {
          // The purge of a confirmed rebind and the bind are one transaction: it failed, so nothing has changed.
          const failed = error instanceof PurgeFailed || (confirmRebind && error instanceof StoreUnavailable);
          throw failed ? apiError('rebind_failed') : error;
        });
      if (!updated.ok) throw connectorRefusal(updated, principal.organization, upgradeUrl(deps));
      if (status === 'active') await deps.breakers.closeAll(updated.connector.id);
      if (credentialId !== undefined) await reprovision(deps, updated.connector);
      const answer = await connectorAnswer(deps, updated.connector);
      return { status: 200, body: { ...answer, warnings: [...orderingWarnings(updated), ...answer.warnings] } };
    },
  });
}
