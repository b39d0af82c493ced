import { type ConfigDocument, type ConnectorChange, entityEventType } from '@sluice/contracts';
import { intakeError, type IntakeRefusal, intakeRules, intakeStop } from '@sluice/event-intake';
import { indexMatcher } from '@sluice/flow-engine';
import { apiError, HttpError, validationEntry } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import type { WithPublicUrl } from '../../http/with-public-url';
import { upgradeUrl } from '../../plan/upgrade-url';
import type { ImportDeps } from './deps';

/** A connector that takes imports now, and its active version. */
export interface ImportTarget {
  connector: ConnectorChange;
  version: number;
}

/**
 * The connector of a request, which must be published and whose organization must not be stopped.
 * @throws HttpError 404, 409 `connector_not_published`, 423
 */
export async function importTarget(deps: ImportDeps, principal: Principal, id: string): Promise<ImportTarget> {
  const { id: connectorId } = await findConnector(deps, principal, id);
  const connector = await deps.configReader.connector(connectorId);
  if (!connector || connector.deleted) throw apiError('connector_not_found');
  const reason = intakeStop(connector, intakeRules.bulk);
  if (reason !== null) throw importRefusal(deps, connector, { why: 'stopped', reason });
  if (connector.active_version === null) throw apiError('connector_not_published');
  return { connector, version: connector.active_version };
}

/** The answer to an import that the connector does not take. */
export const importRefusal = (deps: WithPublicUrl, connector: ConnectorChange, refusal: IntakeRefusal): HttpError =>
  intakeError(refusal, { connector, upgradeUrl: upgradeUrl(deps), docsUrl: `${deps.publicUrl()}/docs` });

/**
 * The event type of an import's rows.
 * @throws HttpError 422 for an entity that the active version does not have, and an event type that none of its flows takes
 */
export async function eventTypeOf(
  { configReader }: Pick<ImportDeps, 'configReader'>, { connector, version }: ImportTarget,
  { entity, event_type: given }: { entity: string; event_type?: string | undefined },
): Promise<string> {
  const eventType = given ?? entityEventType(entity);
  const { connector_id: id } = connector;
  const [config, flows] = await Promise.all([configReader.versionConfig(id, version), configReader.flowIndex(id, version)]);
  if (config === null || flows === null) throw apiError('connector_not_published');
  const { entities } = config as Pick<ConfigDocument, 'entities'>;
  const entries = [];
  if (!entities.some(({ name }) => name === entity))
    entries.push(validationEntry('body', ['entity'], 'unknown_entity', 'The active version has no such entity', entity));
  else if (indexMatcher(flows)('event_api', eventType).kind === 'none') {
    const message = `No flow of the active version takes events of the type ${JSON.stringify(eventType)} from the event API`;
    entries.push(validationEntry('body', ['event_type'], 'unknown_event_type', message, given ?? null));
  }
  if (entries.length > 0) throw new HttpError(422, entries);
  return eventType;
}
