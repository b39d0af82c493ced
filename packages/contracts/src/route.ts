/** A JSON Schema literal (2020-12). Kept loose: routes write it `as const` and infer their types with json-schema-to-ts. */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Who may call: `config` = session token or organization key, `owner` = signed-in owner, `owner_or_key` = one of both, but no
 * signed-in member.
 */
export type RouteAuth = 'none' | 'config' | 'user' | 'owner' | 'owner_or_key' | 'connector_key' | 'operator';

/** One answer of a route: its schema and what it means. */
export interface RouteAnswer {
  description: string;
  /** Absent for an empty body (204). */
  schema?: JsonSchema;
  contentType?: string;
}

/** The audit entry of a route that changes something. */
export interface RouteAudit {
  /** A word like `connector.publish`. */
  action: string;
  /** The kind of the changed object: `connector`, `credential`. */
  target: string;
  /** Path parameter with the target's id; absent when the route creates the target. */
  param?: string;
  /** The change is made in the CRM, without a transaction of the database: the entry is written afterwards. */
  elsewhere?: boolean;
}

/**
 * A route as a value: the single source of its validation, types, error shapes and OpenAPI entry.
 * Handlers live in the services; nothing here knows them.
 */
export interface RouteContract {
  /** Unique operation name in snake_case: OpenAPI operationId and log field `route`. */
  name: string;
  method: HttpMethod;
  /** Express style: `/api/connectors/:connector_id`. */
  path: string;
  /** OpenAPI tag. */
  tag: string;
  summary: string;
  /** What else a caller must know, in Markdown. */
  description?: string;
  auth: RouteAuth;
  /**
   * Schemas of path parameters and query, each an object schema. Query values arrive as strings and are coerced by their schema.
   */
  params?: JsonSchema;
  query?: JsonSchema;
  body?: JsonSchema;
  /** Request headers of the route's own, for its description; the handler reads them. */
  headers?: JsonSchema;
  /** The cookie that authenticates the caller, if it is not a header; the handler reads it. */
  cookie?: 'refreshCookie';
  /** Top-level fields of the body that are always secret: a 422 does not repeat them. */
  secretFields?: readonly string[];
  /** False: an absent body is read as `{}`. */
  bodyRequired?: boolean;
  /** Bytes; config plane default 1 MiB plus an allowance for the wrapping. */
  bodyLimit?: number;
  /**
   * Every change is written to the audit log with who made it, refusals too. null: a route that is no read but changes nothing
   * worth logging.
   */
  audit?: RouteAudit | null;
  /** By status code; exactly the success codes the route uses. */
  answers: Record<number, RouteAnswer>;
  /** Codes of `error-codes.ts` that this route may answer beyond the common ones. */
  errors: readonly string[];
  /** Example request bodies and answers; tests run them through the schemas. */
  examples?: readonly { title: string; body?: unknown; answer?: unknown; status?: number }[];
}

/** Declares a route, keeping literal types. */
export function defineRoute<const R extends RouteContract>(route: R): R {
  return route;
}

/** One entry of a 422 answer: `loc` starts with body, query or path and ends with the field. */
export interface ValidationEntry {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
}
