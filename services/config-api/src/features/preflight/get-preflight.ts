import { emptyConfig, type Finding, finding } from '@sluice/config-model';
import { type ConfigDocument, configRoutes, pluginNames } from '@sluice/contracts';
import type { ConnectorRow } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import { chooseCredential } from '../portal/choose-portal';
import { journalFindings } from '../sources/journal-findings';
import { type ResolvedPlugins, resolvePlugins } from '../plugins/resolution/resolve-plugins';
import { ownGroup } from '../../provisioning/own-group';
import type { PreflightDeps } from './deps';
import { credentialHostFindings } from './credential-host-findings';
import { draftFindings, isGivenUp } from './draft-findings';
import { firstSyncFindings } from './first-sync-findings';
import { portalFindings } from './portal-findings';
import type { PreflightNeeds } from '../../work/needs/preflight-needs';
import { unboundProvisioningFindings } from './provisioning-findings';
import { refusalFindings } from './refusal-findings';
import { scopeFindings } from './scope-findings';
import { watchRefusals } from './watch-refusals';

export function getPreflight(deps: PreflightDeps): HttpRoute {
  return implementRoute(configRoutes.preflightDraft, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const candidateId = query.credential_id;
      const credentialId =
        candidateId === undefined && connector.binding === null
          ? null
          : await chooseCredential(deps.store, principal, connector, candidateId);
      const draft = await deps.store.drafts.get(connector.id, emptyConfig());
      if (!draft) throw apiError('connector_not_found');
      const config = draft.config as ConfigDocument;
      const text = JSON.stringify(config);
      const active = await deps.store.drafts.version(connector.id, 'active');
      const plugins = await resolvePlugins(deps, connector, config);
      const reviewRequired = principal.organization.publishReview;
      const findings = (
        await Promise.all([
          draftFindings(deps, principal.organization.id, { config, text, refusals: plugins.refusals }),
          firstSyncFindings(deps, principal.organization, connector),
          refusalFindings(deps, { principal, connector, draft, active }),
          deps.store.sources.list(connector.id).then(journalFindings),
          reviewRequired ? credentialHostFindings(config, (active?.config ?? null) as ConfigDocument | null) : [],
          needsFindings(deps, principal, { text, plugins, active: active?.config as ConfigDocument | undefined }, (needs) =>
            credentialId === null
              ? unboundFindings(deps, principal, needs)
              : askPortal(deps, connector, needs, { credentialId, isCandidate: candidateId !== undefined, reviewRequired })),
        ])
      ).flat();
      const of = (severity: Finding['severity']): Finding[] => findings.filter((one) => one.severity === severity);
      return { status: 200, body: { errors: of('error'), warnings: of('warning'), infos: of('info') } };
    },
  });
}

/** Findings about what the config needs. None where reading that out of it was given up: the check of the draft says so. */
async function needsFindings(
  { configWork }: PreflightDeps,
  { organization: { id, tier } }: Principal,
  { text, plugins, active }: { text: string; plugins: ResolvedPlugins; active: ConfigDocument | undefined },
  find: (needs: PreflightNeeds) => Promise<Finding[]>,
): Promise<Finding[]> {
  const grants = Object.fromEntries(plugins.known.map(({ name, capabilities: { auth = [] } }) => [name, auth]));
  const running = active ? pluginNames(active) : [];
  const read = await configWork.run(
    id, 'preflight_needs', { text, tier, grants, running }, { bytes: text.length },
  ).catch((error: unknown) => {
    if (isGivenUp(error)) return null;
    throw error;
  });
  if (read === null) return [];
  const needs = JSON.parse(read) as PreflightNeeds;
  return [...needs.plugins, ...(await find(needs))];
}

/** Without a portal: a warning; with several to choose from an error, because events that touch the CRM then fail. */
async function unboundFindings(
  { store }: PreflightDeps, { organization }: Principal, { required, places }: PreflightNeeds,
): Promise<Finding[]> {
  const { portals } = await store.organizations.usage(organization.id);
  const several = portals > 1;
  return [
    finding({
      severity: several ? 'error' : 'warning', code: 'connector_has_no_credential', field: null,
      message: several
        ? `${portals} portals are connected and the connector is bound to none: what touches the CRM fails`
        : 'no portal is connected: nothing can be read from the CRM or written to it',
      suggestion: several ? 'Bind the connector to one with credential_id.' : 'Connect a portal.',
    }),
    ...unboundProvisioningFindings(required, places),
  ];
}

interface Chosen {
  credentialId: string;
  isCandidate: boolean;
  reviewRequired: boolean;
}

async function askPortal(
  deps: PreflightDeps, connector: ConnectorRow, needs: PreflightNeeds, { credentialId, isCandidate, reviewRequired }: Chosen,
): Promise<Finding[]> {
  const opened = await deps.openPortal(credentialId, { withinMs: deps.preflightTimeMs });
  if (!opened) return [unusable(isCandidate, 'it does not exist any more')];
  const { portal, calls, refusal } = watchRefusals(opened);
  const told = isCandidate
    ? [
        finding({
          severity: 'info', code: 'preflight_candidate_credential',
          message: `checked against portal ${portal.portalId}, not the portal the connector is bound to`,
        }),
      ]
    : [];
  const scopes = await portal.scopes();
  const found = await portalFindings(portal, needs, { ownGroup: ownGroup(connector.settings), scopes, reviewRequired });
  // A config that needs nothing of the portal: whether the token is good for more than reading about it is asked all the same.
  if (refusal() === null && calls() === 1) await portal.properties('contacts');
  const refused = refusal();
  // What else was found follows from the refusal.
  if (refused === null) return [...told, ...found];
  return [...told, unusable(isCandidate, refused), ...scopeFindings(needs.scopes, scopes)];
}

const unusable = (isCandidate: boolean, why: string): Finding =>
  finding({
    severity: 'error', code: isCandidate ? 'candidate_credential_unusable' : 'bound_credential_unusable',
    message: `the CRM refuses the credential: ${why}`, suggestion: 'Connect the portal again.',
  });
