import type { Authenticate } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { AssistantDeps } from './deps';
import { openAssistant } from './find-session';

/**
 * Authenticates the caller of a route of the assistant. Without a key of a model the request ends here, before its body is read:
 * 404 for a connector that the organization does not have, else 503, whatever was sent.
 */
export const requireModel = (deps: AssistantDeps): Authenticate<Principal> => async (request, context) => {
  const principal = await deps.authenticate(request, context);
  if (deps.assistantTurns === null) await openAssistant(deps, principal, String(request.params['connector_id']));
  return principal;
};
