import type { PortalState } from '../state/portal-state';
import type { SimulatorState } from '../state/simulator-state';
import type { Answer } from './answer';

/** One request as handlers see it. `params` are decoded path parameters. */
export interface Call {
  readonly sim: SimulatorState;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly rawBody: string;
  /** The Content-Type header, empty when absent. */
  readonly contentType: string;
  /** The body's bytes, for multipart uploads. */
  readonly bytes: Buffer;
  /** Scheme, host and port as the caller sees them, for links. */
  readonly baseUrl: string;
}

/** A request made with a portal's access token. */
export interface PortalCall extends Call {
  readonly portal: PortalState;
}

/** Which of the portal's budgets a call uses (docs/reference/crm-api.md, Rate limits). */
export type Budget = 'burst' | 'search' | 'none';

interface RouteBase {
  readonly method: string;
  /** Canonical path (see path-aliases); `:name` is one segment. */
  readonly path: string;
}

/** Needs a portal token; `scopes` lists alternatives, each a set that must be granted completely. */
export interface PortalRoute extends RouteBase {
  readonly auth: 'portal';
  readonly budget: Budget;
  readonly scopes?: (call: PortalCall) => readonly (readonly string[])[];
  readonly handle: (call: PortalCall) => Answer | Promise<Answer>;
}

/** Needs the app's own (client credentials) token, or a portal token that was granted `scope`. */
export interface AppRoute extends RouteBase {
  readonly auth: 'app';
  readonly scope: string;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
}

/** Needs no Authorization header. */
export interface OpenRoute extends RouteBase {
  readonly auth: 'none';
  readonly handle: (call: Call) => Answer | Promise<Answer>;
}

export type Route = PortalRoute | AppRoute | OpenRoute;
