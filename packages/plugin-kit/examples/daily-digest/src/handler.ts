import type { Handler, PluginPayload } from 'sluice-plugin';

interface Visit {
  customer: string;
}

/**
 * Lets one event of a customer through in a day, and tells how many there were before. `config.store_keys` is
 * `["$.payload.customer"]`.
 */
export const handler: Handler<PluginPayload<Visit>> = ({ payload: { customer }, store = {} }) => {
  const seen = (store[customer] as { count: number } | null)?.count ?? 0;
  const store_writes = [{ key: customer, value: { count: seen + 1 }, ttl_seconds: 86_400 }];
  if (seen > 0) return { action: 'skip', reason: `visit ${seen + 1} of the day`, store_writes };
  return { first_of_the_day: true, store_writes };
};
