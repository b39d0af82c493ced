import type { AssistantSession, ConnectorRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import type { AssistantDeps } from './deps';
import type { AssistantTurns } from './turns/assistant-turns';

type Deps = Pick<AssistantDeps, 'store' | 'assistant' | 'assistantTurns'>;

/** The connector, and the assistant of this installation. Throws 404, then 503 without a key of a model. */
export async function openAssistant(
  deps: Pick<Deps, 'store' | 'assistantTurns'>, principal: Principal, connectorId: string,
): Promise<{ connector: ConnectorRow; turns: AssistantTurns }> {
  const connector = await findConnector(deps, principal, connectorId);
  if (deps.assistantTurns === null) throw apiError('assistant_unavailable');
  return { connector, turns: deps.assistantTurns };
}

/** Throws 403 where the organization has switched the assistant off. For what sends something to the model. */
export function assertSwitchedOn({ organization }: Principal): void {
  if (organization.assistantOff) throw apiError('assistant_switched_off');
}

/** The same as `openAssistant`, with a session of the connector. Throws 404 for one of another connector. */
export async function findSession(
  deps: Deps, principal: Principal, params: { connector_id: string; session_id: string },
): Promise<{ connector: ConnectorRow; turns: AssistantTurns; session: AssistantSession }> {
  const opened = await openAssistant(deps, principal, params.connector_id);
  const session = await deps.assistant.get(opened.connector.id, params.session_id);
  if (!session) throw apiError('Not Found');
  return { ...opened, session };
}
