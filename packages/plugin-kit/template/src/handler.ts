import type { Handler, PluginPayload } from 'sluice-plugin';

interface Order {
  total: number;
}

interface Config {
  /** Totals from here on are high. */
  high_from?: number;
}

/** Tells orders apart by their total. The answer is the output of the step: `$<step id>.score`. */
export const handler: Handler<PluginPayload<Order, Config>> = ({ payload, config }) => {
  const score = payload.total >= (config.high_from ?? 100) ? 'high' : 'low';
  console.log('scored', payload.total, score);
  return { score };
};
