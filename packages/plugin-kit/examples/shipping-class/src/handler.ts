import type { Handler, PluginPayload } from 'sluice-plugin';

interface Order {
  country?: string;
  lines?: { sku: string; quantity: number; weight_g: number }[];
}

/** Computes what no transform can: a weight over all lines, and the class that follows from it. */
export const handler: Handler<PluginPayload<Order, { home?: string }>> = ({ payload: { lines = [], country }, config }) => {
  if (lines.length === 0) return { action: 'skip', reason: 'the order has no lines' };
  const grams = lines.reduce((sum, { quantity, weight_g }) => sum + quantity * weight_g, 0);
  const zone = country === config.home ? 'home' : 'abroad';
  return { weight_kg: grams / 1000, shipping_class: grams > 20_000 ? `freight-${zone}` : `parcel-${zone}` };
};
