/** A JSON Schema literal (2020-12). Kept loose: routes write it `as const` and infer their types with json-schema-to-ts. */
export type JsonSchema = Readonly<Record<string, unknown>> | boolean;

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
/**
 * Who may call: `config` = session token or organization key, `user` = session token, `owner` = signed-in owner, `owner_or_key` =
 * one of both, but no signed-in member. All of these act in an organization. `account` = session token, also of a person without
 * an active organization; `account_or_key` = that, or an organization key. `signature` = who can sign a call with the secret of a
 * source, `compat_key` = key of the legacy-compatible ingress.
 */
export type RouteAuth =
  | 'none' | 'config' | 'user' | 'owner' | 'owner_or_key' | 'account' | 'account_or_key' | 'connector_key' | 'signature'
  | 'compat_key' | 'operator';

/** One answer of a route: its schema and what it means. */
export interface RouteAnswer {
  description: string;
  /** Absent for an empty body (204) and for a stream. */
  schema?: JsonSchema;
  contentType?: string;
  /**
   * The answer is sent while it is made. `file`: bytes of `contentType`, of which a caller may ask for a range. `events`:
   * server-sent events.
   */
  stream?: 'file' | 'events';
  /** The kinds of a stream of events, by their name. */
  events?: Readonly<Record<string, RouteEvent>>;
}

/** One kind of server-sent event. */
export interface RouteEvent {
  description: string;
  /** Of its data, which is JSON. */
  schema: JsonSchema;
}

/** A body of type `multipart/form-data`, whose files are passed on as they arrive. */
export interface RouteForm {
  /** Object schema of the text fields. They arrive as text and are coerced by their schema. */
  fields: JsonSchema;
  /** Bytes of one text field. Default: 65,536. */
  fieldBytes?: number;
  /** The files, by the names of their fields. */
  files: Readonly<Record<string, RouteFile>>;
}

export interface RouteFile {
  description: string;
  maxBytes: number;
  /** Whether a form without the file is refused. */
  required: boolean;
}

/** A body that is passed on as it arrives. */
export interface RouteUpload {
  description: string;
  maxBytes: number;
  /** Content types that are taken, without parameters: `application/zip`. */
  contentTypes: readonly string[];
}

/** The audit entry of a route that changes something, or by which an operator reads what belongs to a tenant. */
export interface RouteAudit {
  /** A word like `connector.publish`. */
  action: string;
  /** The kind of the changed object: `connector`, `credential`. */
  target: string;
  /** Path parameter with the target's id; absent when the route creates the target. */
  param?: string;
  /** The change is made in the CRM, without a transaction of the database: the entry is written afterwards. */
  elsewhere?: boolean;
  /** A `get` that is logged: it hands data of a tenant out, or signs somebody in. */
  read?: boolean;
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
  /** The code of the 403 for an organization key, where it is not the one of `auth`. */
  keyRefusal?: 'owner_required' | 'user_auth_required' | 'user_session_required' | 'api_key_cannot_create_org';
  /**
   * The path's `organization_id` must be the caller's active organization (403 `wrong_active_org` for another one of his), or any
   * organization of his. All others are answered with 404.
   */
  organization?: 'active' | 'any';
  /** True: a signed-in caller needs a verified address (403 `email_not_verified`). */
  needsVerified?: boolean;
  /**
   * Schemas of path parameters and query, each an object schema. Query values arrive as strings and are coerced by their schema.
   */
  params?: JsonSchema;
  query?: JsonSchema;
  body?: JsonSchema;
  /** Beside or instead of `body`: the content type of a request decides which of them it has. */
  form?: RouteForm;
  /** Instead of `body` and `form`. */
  upload?: RouteUpload;
  /** Request headers of the route's own, for its description; the handler reads them. */
  headers?: JsonSchema;
  /** The cookie that authenticates the caller, if it is not a header; the handler reads it. */
  cookie?: 'refreshCookie';
  /**
   * True: it signs a browser in, out or on. A form of another site cannot send it: bodies come as `application/json` only (415),
   * and requests of other sites are refused (403).
   */
  sameSite?: boolean;
  /**
   * Top-level fields of the body, or of the form, that are secret: the `input` of a 422 repeats neither them nor fields that the
   * schema does not have.
   */
  secretFields?: readonly string[];
  /** False: an absent body is read as `{}`. */
  bodyRequired?: boolean;
  /** Bytes; config plane default 1 MiB plus an allowance for the wrapping. */
  bodyLimit?: number;
  /**
   * Every change is written to the audit log with who made it, refusals too, and what an operator reads of an organization. null:
   * a route that is no read but changes nothing worth logging.
   */
  audit?: RouteAudit | null;
  /** By status code; exactly the success codes the route uses. */
  answers: Record<number, RouteAnswer>;
  /**
   * Error answers of a route with a shape of its own, by status code, instead of the codes of `errors`.
   */
  failures?: Record<number, RouteAnswer>;
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
