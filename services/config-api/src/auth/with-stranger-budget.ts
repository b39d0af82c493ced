import { callerNetwork, HttpError, type HttpRoute } from '@sluice/service-kit';
import type { StrangerBudget } from './stranger-budget';

/**
 * The same route; of routes without authentication that look something up for what the caller brings (a refresh token, a token of
 * a mail), refused calls take from the attempts of the caller's network.
 */
export function withStrangerBudget(strangers: StrangerBudget): (route: HttpRoute) => HttpRoute {
  return (route) => {
    const { contract: { auth, method }, around } = route;
    if (auth !== 'none' || method === 'get') return route;
    return {
      ...route,
      around: async (request, context, work) => {
        const network = callerNetwork(context.address);
        strangers.take(network);
        try {
          const answer = await (around ? around(request, context, work) : work());
          strangers.giveBack(network);
          return answer;
        } catch (error) {
          // What was refused for its number alone, or for a fault of ours, is no attempt.
          const isAttempt = error instanceof HttpError && error.status < 500 && error.status !== 429;
          if (!isAttempt) strangers.giveBack(network);
          throw error;
        }
      },
    };
  };
}
