import type { Handler, PluginPayload } from 'sluice-plugin';

interface Order {
  number: string;
  total: number;
}

/** Books an order in an ERP with the headers of the source `erp`: the plugin never sees the credential behind them. */
export const handler: Handler<PluginPayload<Order>> = async ({ payload: { number, total }, auth }) => {
  const headers = auth?.erp ?? {};
  if (Object.keys(headers).length === 0) throw new Error("the config has no rest source 'erp'");
  const answer = await fetch(`https://erp.example.com/bookings/${encodeURIComponent(number)}`, {
    method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify({ total }),
  });
  if (answer.status === 409) return { outcome: 'failed', reason: `the period of order ${number} is closed` };
  if (answer.status >= 500) return { action: 'retry', requeue: true, reason: `the ERP answered ${answer.status}` };
  if (!answer.ok) throw new Error(`the ERP answered ${answer.status}`);
  return { booking_id: (await answer.json<{ id: string }>()).id };
};
