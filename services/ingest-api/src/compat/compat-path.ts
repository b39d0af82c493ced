/** What the path of a call asks for. */
export type CompatTarget =
  | { kind: 'ingest'; path: string }
  | { kind: 'check'; callId: string }
  | { kind: 'resend'; action: string; callId: string };

export interface CompatPath {
  connectorId: string;
  target: CompatTarget;
  /** The path below the connector and the query, as they were sent. */
  rest: string;
}

const shape = /^\/+api\/+v1\/+compat\/+([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?:\/+([^?#]*))?(\?[^#]*)?/i;

/** Whether a request target belongs to the legacy-compatible ingress, well formed or not. */
export const isCompatTarget = (target: string): boolean => /^\/+api\/+v1\/+compat(?:[/?#]|$)/i.test(target);

/**
 * null: it names no connector. Case and repeated slashes make no difference, but for the id of a call. The name of an action is
 * given as it was sent.
 */
export function compatPath(target: string): CompatPath | null {
  const [, connectorId, path = '', query = ''] = shape.exec(target) ?? [];
  if (connectorId === undefined) return null;
  const parts = path.split('/').filter((part) => part !== '').map(decoded);
  const [first, second, third = '', fourth = ''] = parts;
  const own = first?.toLowerCase() === 'api' ? `${second?.toLowerCase()} ${parts.length}` : '';
  return { connectorId: connectorId.toLowerCase(), rest: path + query, target: targetOf(own) };

  function targetOf(name: string): CompatTarget {
    if (name === 'check 3') return { kind: 'check', callId: third };
    if (name === 'resend 4') return { kind: 'resend', action: third, callId: fourth };
    return { kind: 'ingest', path: parts.map((part) => part.toLowerCase()).join('/') };
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not percent-encoded text: it names nothing.
    return part;
  }
}
