/** What the path of a call names. */
export interface WebhookPath {
  connectorId: string;
  sourceName: string;
  /** What follows the name; null: nothing. */
  token: string | null;
}

const shape = /^\/api\/webhooks\/([^/?#]+)\/([^/?#]+)(?:\/([^/?#]+))?\/?(?:\?|#|$)/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const longestName = 128;

/** Whether a request target belongs to the webhooks, well formed or not. */
export const isWebhookTarget = (target: string): boolean => /^\/api\/webhooks(?:[/?#]|$)/i.test(target);

/** null: no source can have this path. */
export function webhookPath(target: string): WebhookPath | null {
  const [, connectorId = '', name = '', token] = shape.exec(target) ?? [];
  const sourceName = decoded(name);
  if (!uuid.test(connectorId) || sourceName === null || sourceName.length > longestName || sourceName.includes('\0')) return null;
  return { connectorId, sourceName, token: token ?? null };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text) || null;
  } catch {
    // Not percent-encoded text.
    return null;
  }
}
