import { planLimits, volumeLimits } from '@sluice/contracts';
import type { ConfigStore } from '@sluice/ports';
import { newApiKey } from '../../auth/api-key';
import { assertVerified } from '../../auth/assert-verified';
import { apiKeyView } from '../../http/api-key-view';
import { keyRefusal } from '../../auth/key-refusal';
import { actorOf, type Principal, userOf } from '../../auth/principal';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { CreationLimit } from '../../plan/create-creation-limit';
import { upgradeUrl } from '../../plan/upgrade-url';
import { connectorRefusal } from './connector-refusal';
import { noFlows } from './connector-health';
import { connectorDetailView } from './connector-view';

export interface CreateConnectorDeps extends WithPublicUrl {
  store: Pick<ConfigStore, 'connectors'>;
  creationLimit: CreationLimit;
}

export interface ConnectorRequest {
  name: string;
  mode?: 'live' | 'test';
  credentialId?: string | null;
  /** Label of a first key; null: no key. */
  keyLabel: string | null;
  /** The first draft; default: an empty one at its first read. */
  draft?: unknown;
}

/** Creates a connector and answers it as its routes do, `api_key` with the raw key included. Throws the refusals of both. */
export async function createConnector(deps: CreateConnectorDeps, principal: Principal, request: ConnectorRequest) {
  const { organization } = principal;
  if (request.keyLabel !== null) assertVerified(deps, principal);
  await deps.creationLimit(organization);
  const key = request.keyLabel === null ? null : newApiKey('connector');
  const created = await deps.store.connectors.create({
    organizationId: organization.id,
    name: request.name.trim(),
    mode: request.mode ?? 'live',
    credentialId: request.credentialId ?? null,
    createdById: userOf(principal),
    apiKey: key && {
      label: request.keyLabel!.trim(), hash: key.hash, createdById: userOf(principal),
      keysLimit: volumeLimits(organization).api_keys_limit,
    },
    connectorsLimit: planLimits(organization).connectors_limit,
    ...(request.draft !== undefined && { draft: { config: request.draft, updatedBy: actorOf(principal) } }),
  }).catch(keyRefusal(organization, upgradeUrl(deps)));
  if (!created.ok) throw connectorRefusal(created, organization, upgradeUrl(deps));
  const view = connectorDetailView(created.connector, noFlows);
  return key && created.apiKey ? { ...view, api_key: { ...apiKeyView(created.apiKey), raw_key: key.rawKey } } : view;
}
