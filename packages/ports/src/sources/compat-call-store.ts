import type { IngressSplit } from '@sluice/contracts';

/** A call of the legacy-compatible ingress. Its id is that of its one event, whose records are the items of the call. */
export interface CompatCall {
  callId: string;
  connectorId: string;
  eventType: string;
  split: IngressSplit;
  /** The body as it came. */
  request: unknown;
  /** Records of its event. */
  units: number;
  /** The newest run of its event: `first`, or that of a resend. */
  run: string;
  /** Whether every record of that run is in the log, as far as known. */
  queued: boolean;
  createdAt: Date;
  /** When it came, or was last sent again. */
  updatedAt: Date;
}

/**
 * Calls of the legacy-compatible ingress. They are stored before their events are queued. Any method may throw
 * `StoreUnavailable`.
 */
export interface CompatCallStore {
  add(call: Pick<CompatCall, 'callId' | 'connectorId' | 'eventType' | 'split' | 'request' | 'units'>): Promise<void>;
  /** null: the connector has no such call, or not any more. */
  get(connectorId: string, callId: string): Promise<CompatCall | null>;
  /** A run of the call begins: it counts as not queued until `queued`. */
  begin(connectorId: string, callId: string, run: string): Promise<void>;
  /** Every record of the run is in the log. A run that is not the newest any more changes nothing. */
  queued(connectorId: string, callId: string, run: string): Promise<void>;
  /** Deletes calls older than so many milliseconds, a bounded number at a time. Returns how many. */
  deleteOlder(ms: number): Promise<number>;
}
