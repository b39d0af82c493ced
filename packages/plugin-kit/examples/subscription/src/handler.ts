import type { Handler, HookPayload, PluginPayload } from 'sluice-plugin';

const subscriptions = 'https://shop.example.com/subscriptions';

/** Subscribes to a shop when it is set up on a connector, and ends that when it is torn down. Hooks run again after an error. */
export const handler: Handler<HookPayload | PluginPayload<{ id: string }>> = async (given) => {
  if ('hook_type' in given) return hook(given);
  const answer = await fetch(`${subscriptions}/${given.connector_id}/orders/${encodeURIComponent(given.payload.id)}`);
  if (!answer.ok) return { action: 'retry', reason: `the shop answered ${answer.status}` };
  return { order: await answer.json() };
};

async function hook({ hook_type: type, connector_id: id }: HookPayload) {
  const answer = await fetch(`${subscriptions}/${id}`, { method: type === 'setup' ? 'PUT' : 'DELETE' });
  // There is nothing left to end.
  if (type === 'teardown' && answer.status === 404) return { ended: false };
  if (!answer.ok) throw new Error(`the shop answered ${answer.status} to the ${type}`);
  return { [type === 'setup' ? 'subscribed' : 'ended']: true };
}
