import type { HttpRoute } from '@sluice/service-kit';
import type { Deps } from '../deps';
import { deleteConnector } from './delete-connector';
import { deleteConnectorApiKey } from './delete-connector-api-key';
import { deleteCredential } from './delete-credential';
import { deleteOrgApiKey } from './delete-org-api-key';
import { getActiveVersion } from './get-active-version';
import { getAudit } from './get-audit';
import { getBillingMe } from './get-billing-me';
import { getConfigSurface } from './get-config-surface';
import { getConnector } from './get-connector';
import { getConnectorApiKeys } from './get-connector-api-keys';
import { getConnectors } from './get-connectors';
import { getCredential } from './get-credential';
import { getCredentials } from './get-credentials';
import { getDraft } from './get-draft';
import { getMe } from './get-me';
import { getOperatorOrganization } from './get-operator-organization';
import { getOperatorOutbox } from './get-operator-outbox';
import { getOperatorOverview } from './get-operator-overview';
import { getOrgApiKeys } from './get-org-api-keys';
import { getVersion } from './get-version';
import { getVersions } from './get-versions';
import { patchConnector } from './patch-connector';
import { patchDraft } from './patch-draft';
import { patchOperatorOrganization } from './patch-operator-organization';
import { postAuthLogin } from './post-auth-login';
import { postAuthLogout } from './post-auth-logout';
import { postAuthRefresh } from './post-auth-refresh';
import { postAuthSignup } from './post-auth-signup';
import { postConnectorApiKeys } from './post-connector-api-keys';
import { postConnectors } from './post-connectors';
import { postCredentials } from './post-credentials';
import { postDraftReset } from './post-draft-reset';
import { postOperatorOrganizations } from './post-operator-organizations';
import { postOrgApiKeys } from './post-org-api-keys';
import { postPublish } from './post-publish';
import { postVersionRestore } from './post-version-restore';
import { putCredential } from './put-credential';
import { putDraft } from './put-draft';

/** Every route of the config plane. A test compares them with the contracts. */
export function configApiRoutes(deps: Deps): HttpRoute[] {
  return [
    deleteConnector(deps),
    deleteConnectorApiKey(deps),
    deleteCredential(deps),
    deleteOrgApiKey(deps),
    getActiveVersion(deps),
    getAudit(deps),
    getBillingMe(deps),
    getConfigSurface(deps),
    getConnector(deps),
    getConnectorApiKeys(deps),
    getConnectors(deps),
    getCredential(deps),
    getCredentials(deps),
    getDraft(deps),
    getMe(deps),
    getOperatorOrganization(deps),
    getOperatorOutbox(deps),
    getOperatorOverview(deps),
    getOrgApiKeys(deps),
    getVersion(deps),
    getVersions(deps),
    patchConnector(deps),
    patchDraft(deps),
    patchOperatorOrganization(deps),
    postAuthLogin(deps),
    postAuthLogout(deps),
    postAuthRefresh(deps),
    postAuthSignup(deps),
    postConnectorApiKeys(deps),
    postConnectors(deps),
    postCredentials(deps),
    postDraftReset(deps),
    postOperatorOrganizations(deps),
    postOrgApiKeys(deps),
    postPublish(deps),
    postVersionRestore(deps),
    putCredential(deps),
    putDraft(deps),
  ];
}
