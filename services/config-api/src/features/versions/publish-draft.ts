import { flowIndex, newCredentialHosts, type Finding } from '@sluice/config-model';
import { type ConfigDocument, planLimits, withoutCoordinates } from '@sluice/contracts';
import type { ConnectorRow, DraftRow, NewVersion, PublishAnswer } from '@sluice/ports';
import { apiError, HttpError } from '@sluice/service-kit';
import { actorOf, type Principal } from '../../auth/principal';
import type { VersionDeps } from './deps';
import { readDraft } from '../drafts/draft-answer';
import { type ResolvedPlugins, resolvePlugins } from '../plugins/resolution/resolve-plugins';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';
import { webhookSecret } from '../sources/webhook-secret';
import { webhookUrl } from '../sources/webhook-url';
import { versionView } from './version-view';
import { provisionForPublish } from './provision-for-publish';
import { isPublished, publishRefusals, staleBase } from './publish-refusals';
import { isConfirmed, type Review, reviewError } from './review-gate';
import { subscribeJournal } from '../../provisioning/subscribe-journal';
import { unservedSources } from './unserved-sources';

export interface PublishRequest {
  changeSummary: string | null;
  force: boolean;
  reviewedDraftVersion: number | null;
}

/**
 * Publishes a connector's draft: checks it, provisions the portal, then in one transaction stores the version, makes it active
 * and puts the change into the outbox. Throws the error answers of the route contract.
 */
export async function publishDraft(deps: VersionDeps, principal: Principal, connector: ConnectorRow, request: PublishRequest) {
  const draft = await readDraft(deps, connector.id);
  const active = await deps.store.drafts.version(connector.id, 'active');
  const subject = { principal, connector, draft, active };
  const identical = isPublished(subject);
  if (active && identical && !request.force) {
    const warnings = await warningsOf(deps, principal, active.config as ConfigDocument);
    return { ...versionView(active), no_changes: true, created_sources: [], provisioned: [], warnings };
  }
  const refusals = await publishRefusals(deps, subject);
  throwFirst(refusals.beforeCheck);
  const resolved = await resolvePlugins(deps, connector, draft.config as ConfigDocument);
  const { config, documented } = await checkedConfig(deps, principal, draft, resolved);
  throwFirst(refusals.afterCheck);
  const usage = await deps.store.organizations.usage(principal.organization.id);
  const review: Review = {
    required: principal.organization.publishReview,
    confirmedDraftVersion: request.reviewedDraftVersion,
    draftVersion: draft.draftVersion,
  };
  if (!isConfirmed(review) && newCredentialHosts(config, (active?.config ?? null) as ConfigDocument | null).length > 0)
    throw reviewError(review, 'send a credential to another host than before');
  const { provisioned, warnings } = await provisionForPublish(deps, connector, config, usage.portals, review);
  const changeSummary = request.changeSummary ?? (identical ? 'Forced republish' : null);
  const { version, createdSources } = await storeVersion(deps, { principal, connector, draft, config, resolved, changeSummary });
  const before = request.force ? null : active?.config;
  if (connector.binding) await subscribeJournal(deps, connector.binding.portalId, config,
    (before ?? null) as ConfigDocument | null);
  const told = [...warnings, ...documented];
  return { ...versionView(version), no_changes: false, created_sources: createdSources, provisioned, warnings: told };
}

/** Warnings about a published document. */
async function warningsOf({ configWork }: VersionDeps, { organization }: Principal, config: ConfigDocument): Promise<Finding[]> {
  const text = JSON.stringify(config);
  const { warnings } = await configWork.run(organization.id, 'describe_draft', { text, active: null }, { bytes: text.length });
  return [...warnings, ...unservedSources(config.sources ?? [])];
}

function throwFirst([first]: HttpError[]): void {
  if (first) throw first;
}

/** The config of the draft, and the warnings about it. Throws 422 with all problems. */
async function checkedConfig(
  { store, configChecker }: VersionDeps,
  { organization }: Principal,
  draft: DraftRow,
  { refusals }: ResolvedPlugins,
): Promise<{ config: ConfigDocument; documented: Finding[] }> {
  const credentials = await store.credentials.names(organization.id);
  const { problems, facts } = await configChecker.inspect(organization.id, {
    text: JSON.stringify(draft.config),
    moment: 'publish',
    credentials,
    pluginRefusals: [...refusals],
    describe: { active: null },
  });
  if (problems.length > 0 || !facts) throw new HttpError(422, problems);
  const config = withoutCoordinates(draft.config as ConfigDocument);
  return { config, documented: [...facts.warnings, ...unservedSources(config.sources)] };
}

interface NewPublished {
  principal: Principal;
  connector: ConnectorRow;
  draft: DraftRow;
  config: ConfigDocument;
  resolved: ResolvedPlugins;
  changeSummary: string | null;
}

async function storeVersion(deps: VersionDeps, given: NewPublished) {
  const { principal, connector: { id: connectorId }, draft, config, changeSummary } = given;
  const secrets = new Map(
    config.sources.flatMap(({ name, type }) =>
      type === 'webhook' ? [[name, webhookSecret(deps.webhookKeyring, connectorId, name)] as const] : [],
    ),
  );
  const published = await publishResolved(deps, given, {
    connectorId,
    config,
    flows: flowIndex(config),
    sources: config.sources.map(({ name, type }) => ({ name, type, sealed: secrets.get(name)?.sealed ?? null })),
    baseVersion: draft.baseVersion,
    changeSummary,
    publishedBy: actorOf(principal),
    eventSourcesLimit: planLimits(principal.organization).event_sources_limit,
    writeCapLimit: deps.writeCapLimit,
  });
  if (!published.ok) throw refusalOf(deps, principal, published);
  const createdSources = config.sources
    .filter(({ name }) => published.createdSources.includes(name))
    .map((source) => {
      const secret = secrets.get(source.name)?.secret ?? null;
      return { name: source.name, type: source.type, url: webhookUrl(deps, connectorId, source, secret), secret };
    });
  return { version: published.version, createdSources };
}

/** Plugins that are promoted again and again while a config is published. */
const resolutions = 5;

/** Stores the version with what its plugins mean at that moment. Throws 422 when one means nothing any more. */
async function publishResolved(
  deps: VersionDeps, { connector, config, principal, draft, resolved }: NewPublished, version: Omit<NewVersion, 'plugins'>,
): Promise<Exclude<PublishAnswer, { reason: 'plugins_changed' }>> {
  let { plugins } = resolved;
  for (let turn = 1; turn <= resolutions; turn += 1) {
    const published = await deps.store.drafts.publish({ ...version, plugins });
    if (published.ok || published.reason !== 'plugins_changed') return published;
    const again = await resolvePlugins(deps, connector, config);
    if (again.refusals.size > 0) await checkedConfig(deps, principal, draft, again);
    ({ plugins } = again);
  }
  throw apiError('service_unavailable', { message: 'A plugin of the config keeps changing: try again.' }, { 'Retry-After': '1' });
}

type Refusal = Extract<Awaited<ReturnType<typeof publishResolved>>, { ok: false }>;

function refusalOf(deps: VersionDeps, principal: Principal, refusal: Refusal): Error {
  if (refusal.reason === 'not_found') return apiError('connector_not_found');
  if (refusal.reason === 'stale_base_version') return staleBase(refusal.baseVersion, refusal.activeVersion);
  const limit = planLimits(principal.organization).event_sources_limit;
  return limitError('event_source_limit_reached', principal.organization, upgradeUrl(deps), { limit, usage: refusal.usage });
}
