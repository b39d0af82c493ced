import type { CallFailure, PluginCoordinates } from '@sluice/contracts';
import type { PluginWrite } from './plugin-run-store';

/** The part of the payload that depends on the event and the steps before. */
export interface PluginStepPayload {
  /** The concrete type. */
  event_type: string;
  external_id: string | null;
  payload: unknown;
  canonical: unknown;
  outputs: Readonly<Record<string, unknown>>;
  /** Inside per-item work; else null. */
  item: unknown;
  config: Readonly<Record<string, unknown>>;
}

/** An invocation of a plugin by a step. */
export interface PluginCall {
  coordinates: PluginCoordinates;
  /** Keys of the store that the handler gets, each once. They are read with the store's read grant only. */
  storeKeys: readonly string[];
  payload: PluginStepPayload;
}

export type PluginResult = { ok: true; value: unknown } | CallFailure;

/** The plugins of one attempt of an event. */
export interface PluginCalls {
  /** Runs the handler. Expected failures are values; no message of theirs carries a secret. Throws StoreUnavailable. */
  invoke(call: PluginCall): Promise<PluginResult>;
  /**
   * Adds writes to the plugin's store, all of them or none. They are stored in one transaction with what the attempt leads to.
   * @returns why they are over a limit; null: they are taken
   */
  store(writes: readonly PluginWrite[]): string | null;
}
