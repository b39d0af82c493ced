/** How a route makes events of the body: one for each item of `entities`, or one with the whole body. */
export const ingressSplits = ['entities', 'none'] as const;
export type IngressSplit = (typeof ingressSplits)[number];

/** A path of the compat ingress. Exactly one of `event` and `event_field`. */
export interface IngressRoute {
  path: string;
  /** Type of every event of the route; the event field of the body is ignored. */
  event?: string;
  /** Dotted path of the body that holds the event type. */
  event_field?: string;
  /** Accepted values of `event_field`. Absent: every value. */
  events?: string[];
  /** Default `entities`. */
  split?: IngressSplit;
}

/** Calls of the compat ingress are forwarded to the service that it replaces. */
export interface IngressFallback {
  base_url: string;
  /** Default true. */
  enabled?: boolean;
}

/** The compat ingress of a connector (docs/reference/config-document.md, Ingress profile). */
export interface IngressProfile {
  /** Header in which callers send their key. */
  auth_header: string;
  /** Largest `entities` list of a call, 1 to 500. Default 500. */
  max_entities?: number;
  routes: IngressRoute[];
  /** Action name to the event types whose calls it may send again. */
  resend_actions?: Record<string, string | string[]>;
  fallback?: IngressFallback | null;
}

/**
 * The parts of a path of the compat ingress as they are compared: without regard to case, and to slashes at the ends or repeated.
 */
export const compatPathParts = (path: string): string[] => path.toLowerCase().split('/').filter((part) => part !== '');
