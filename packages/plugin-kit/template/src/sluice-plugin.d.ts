/** What a handler gets and may return, and the globals that it finds (docs/reference/plugins.md). */

declare module 'sluice-plugin' {
  /** What a step of a flow gives the handler. `Event`: the payload of the event; `Config`: `plugin.config` of the step. */
  export interface PluginPayload<Event = Record<string, unknown>, Config = Record<string, unknown>> {
    schema_version: 1;
    connector_id: string;
    flow_name: string;
    source_name: string;
    /** The concrete type. */
    event_type: string;
    external_id: string | null;
    payload: Event;
    canonical: unknown;
    /** Outputs of the steps before, by step id. */
    outputs: Record<string, unknown>;
    entities_index: Record<string, EntityFacts>;
    sources_index: Record<string, { name: string; type: string; config: Record<string, unknown> }>;
    item: unknown;
    capabilities: { http?: string[]; store?: ('read' | 'write')[]; auth?: string[] };
    config: Config;
    /** With `store: read`: the values of `config.store_keys`, null where there is none. */
    store?: Record<string, unknown>;
    /** With `auth`: outbound headers by the name of their source; `{}` for a source that is not there. */
    auth?: Record<string, Record<string, string>>;
  }

  export interface EntityFacts {
    name: string;
    object_type: string | null;
    identity_property: string | null;
    schemas: string[];
  }

  /** What a lifecycle hook gives the handler. */
  export interface HookPayload {
    schema_version: 1;
    hook_type: 'setup' | 'teardown';
    connector_id: string;
    plugin_name: string;
    cycle: number;
  }

  export interface StoreWrite {
    key: string;
    value: unknown;
    /** Without it the value stays as long as the connector. */
    ttl_seconds?: number;
  }

  /** Further keys are the output of the step. Nothing, or null, is `{}`. */
  export interface PluginResponse {
    /** `continue` (default), `skip`: the flow halts, `retry`: the event is tried again. */
    action?: 'continue' | 'skip' | 'retry';
    /** With `retry`: only this event waits, the connector's others go on. */
    requeue?: boolean;
    /** The target refused the record. */
    outcome?: 'failed';
    reason?: string;
    /** With `store: write`. */
    store_writes?: StoreWrite[];
    [output: string]: unknown;
  }

  export type Handler<Payload> = (payload: Payload) => PluginResponse | null | void | Promise<PluginResponse | null | void>;
}

interface PluginHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

interface PluginFetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: PluginHeaders;
  text(): Promise<string>;
  json<T = unknown>(): Promise<T>;
}

/** Rejects for a host that the `http` capability does not cover, and when there is no answer. */
declare function fetch(
  url: string, init?: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array },
): Promise<PluginFetchResponse>;

declare const console: Record<'debug' | 'log' | 'info' | 'warn' | 'error', (...values: unknown[]) => void>;
declare const crypto: { randomUUID(): string };
declare function atob(text: string): string;
declare function btoa(text: string): string;
declare function setTimeout(callback: () => void, milliseconds?: number): number;
declare function clearTimeout(timer: number): void;
declare class TextEncoder { encode(text: string): Uint8Array }
declare class TextDecoder { decode(bytes: Uint8Array): string }
declare class URLSearchParams {
  get(name: string): string | null;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  toString(): string;
}
declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
  readonly origin: string;
  readonly host: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  toString(): string;
}
