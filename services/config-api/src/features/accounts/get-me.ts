import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import type { AccountDeps } from './deps';

export function getMe({ authenticate }: AccountDeps): HttpRoute {
  return implementRoute(configRoutes.me, {
    authenticate,
    handler: ({ principal }) => {
      const { id, name, tier, state } = principal.organization;
      const isUser = principal.kind === 'user';
      return {
        status: 200,
        body: {
          user: isUser ? { id: principal.userId, email: principal.email } : null,
          role: isUser ? principal.role : null,
          organization: { id, name, tier, state },
        },
      };
    },
  });
}
