import type { FunctionLogLevel } from './function-platform';

/** A write of a plugin into its store, one for each connector. */
export interface PluginWrite {
  /** The function that wrote: it names the plugin. */
  functionArn: string;
  key: string;
  /** JSON; null is a value. */
  value: unknown;
  /** null: kept as long as the connector. */
  ttlSeconds: number | null;
}

/** Upper ends of the classes that durations are counted in, milliseconds; the last class has none. */
export const durationClasses: readonly number[] = Array.from({ length: 48 }, (_, index) => Math.round(1.3 ** index * 10) / 10);

/** The class of a duration. */
export function durationClassOf(ms: number): number {
  const found = durationClasses.findIndex((end) => ms <= end);
  return found === -1 ? durationClasses.length : found;
}

/** One invocation of a plugin that ran. */
export interface PluginRunNote {
  functionArn: string;
  /** A number, or `$LATEST`. */
  version: string;
  /** null: it was invoked by hand. */
  connectorId: string | null;
  eventId: string | null;
  durationMs: number;
  memoryMb: number;
  outcome: 'ok' | 'retry' | 'error';
  logs: { at: number; level: FunctionLogLevel; message: string }[];
}

export interface PluginLogQuery {
  since?: Date;
  level?: FunctionLogLevel;
  limit: number;
  cursor?: string;
}

export interface PluginLogRow {
  at: Date;
  level: FunctionLogLevel;
  message: string;
  version: string;
  eventId: string | null;
  connectorId: string | null;
}

export interface PluginMetrics {
  invocations: number;
  errors: number;
  retries: number;
  /** By the classes of `durationClasses`. */
  durations: number[];
  memoryMb: number;
}

/**
 * What runs of plugins read and leave: their stores, logs and metrics. Functions of plugins that were deleted read nothing and
 * leave nothing. Writes of values are part of a settlement (`RunStore.settle`). Throws StoreUnavailable. Adapter: store-postgres;
 * twin: in memory.
 */
export interface PluginRunStore {
  /** The values of keys that are there and have not expired. */
  values(connectorId: string, functionArn: string, keys: readonly string[]): Promise<Map<string, unknown>>;
  /** Adds runs to the metrics, and their lines to the log; of each plugin at most `maxLinesPerHour` lines an hour are kept. */
  note(runs: readonly PluginRunNote[], maxLinesPerHour: number): Promise<void>;
  /** Newest first. A cursor that is none of ours: null. */
  logs(pluginId: string, query: PluginLogQuery): Promise<{ items: PluginLogRow[]; nextCursor: string | null } | null>;
  metrics(pluginId: string, since: Date): Promise<PluginMetrics>;
  /** Deletes lines and metrics of before these times, and values that have expired. */
  sweep(before: { logs: Date; metrics: Date }): Promise<void>;
}
