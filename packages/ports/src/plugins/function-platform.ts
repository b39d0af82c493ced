import type { FunctionLogLevel } from '@sluice/contracts';

export { functionLogLevels, type FunctionLogLevel } from '@sluice/contracts';

/** The platform cannot be reached, or refuses everything for the moment. The caller tries again later. */
export class FunctionPlatformUnavailable extends Error {
  override name = 'FunctionPlatformUnavailable';
}

/** Names a function: the one that a plugin's organization shares, or a developer's own one. */
export interface FunctionName {
  organizationId: string;
  pluginId: string;
  /** null: the shared function. */
  developerId: string | null;
}

/** An immutable numbered version, or the code that was deployed last. */
export type FunctionQualifier = number | '$LATEST';

/** Code was deployed, or it cannot run: a syntax error, an exception while the module is evaluated, no handler. */
export type FunctionDeployed = { ok: true } | { ok: false; message: string };
export type FunctionPublished = { ok: true; version: number } | { ok: false; message: string };

/** A secret that the payload carries, and the only origin that requests with it may go to. */
export interface GrantedSecret {
  value: string;
  /** As `URL.origin`. */
  origin: string;
}

/** What one invocation may do beyond computing. */
export interface FunctionGrants {
  /** Patterns of the `http` capability. */
  hosts: readonly string[];
  secrets: readonly GrantedSecret[];
}

export interface FunctionCall {
  /** A function of another organization is not found. */
  organizationId: string;
  functionArn: string;
  qualifier: FunctionQualifier;
  /** JSON. */
  payload: unknown;
  grants: FunctionGrants;
  /** Asked before each outside call that the platform makes for the function; false: it may not be made any more. */
  mayCall?(timeoutMs: number): Promise<boolean>;
}


export interface FunctionLogLine {
  /** Milliseconds since the epoch, by the clock of the platform. */
  at: number;
  level: FunctionLogLevel;
  message: string;
}

/** What an invocation that ran used, and what it logged. Secrets that were handed in are masked. */
export interface FunctionRun {
  logs: FunctionLogLine[];
  /** Lines over the bound. */
  logsDropped: number;
  durationMs: number;
  memoryMb: number;
}

/** Which bound ended an invocation. */
export type FunctionLimit = 'time' | 'memory' | 'stack' | 'response';

/**
 * How an invocation ended.
 * - threw: the handler threw, or its promise was rejected. The message carries no stack.
 * - limit: a bound ended it.
 * - interrupted: the process that ran it ended, for a reason of its own or of others. Calls that it made are made.
 * - busy: it did not start, the platform has too much to do.
 * - missing: there is no such function or version.
 */
export type FunctionAnswer =
  | ({ kind: 'returned'; value: unknown } & FunctionRun)
  | ({ kind: 'threw'; message: string } & FunctionRun)
  | ({ kind: 'limit'; limit: FunctionLimit; message: string } & FunctionRun)
  | { kind: 'interrupted'; message: string }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'missing' };

/**
 * Where the functions of plugins are kept and run: this installation's own sandbox, or a cloud's functions. A function is one
 * CommonJS module that exports `handler`. Every method may throw FunctionPlatformUnavailable. Adapters: functions-local,
 * functions-lambda; twin: in memory.
 */
export interface FunctionPlatform {
  /** The identifier of a function, also of one that does not exist yet. */
  arnOf(name: FunctionName): string;
  /** Makes the code the function's `$LATEST` once its module has been evaluated. Creates the function. */
  deploy(name: FunctionName, code: string): Promise<FunctionDeployed>;
  /**
   * Makes the code `$LATEST` and publishes it as the function's next version. The same `operation` again gives the version that
   * it gave before, whatever happened in between.
   */
  publish(name: FunctionName, code: string, operation: string): Promise<FunctionPublished>;
  /** Removes a function with all its versions; there need not be one. */
  remove(name: FunctionName): Promise<void>;
  /** Whether a function of the organization has this version. */
  has(call: Pick<FunctionCall, 'organizationId' | 'functionArn' | 'qualifier'>): Promise<boolean>;
  invoke(call: FunctionCall): Promise<FunctionAnswer>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
