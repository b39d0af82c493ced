import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AssistantDeps } from './deps';
import { findSession } from './find-session';
import { requireModel } from './require-model';

export function getAssistantSessionEvents(deps: AssistantDeps): HttpRoute {
  return implementRoute(configRoutes.followAssistantSession, {
    authenticate: requireModel(deps),
    handler: async ({ params, principal, lastEventId, signal }) => {
      const { session, turns } = await findSession(deps, principal, params);
      return { status: 200, events: turns.follow(session.id, numberOf(lastEventId), signal) };
    },
  });
}

/** A made-up id is none: the newest turn is told from its beginning. */
const numberOf = (id: string | null): number | null => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null);
