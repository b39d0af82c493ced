import type { SourceType } from '@sluice/contracts';

/**
 * The state of a source, which is not part of the config. It exists from the first publish that names the source until one that
 * does not.
 */
export interface SourceState {
  name: string;
  type: SourceType;
  enabled: boolean;
  /** Webhook secret, encrypted for `source:<connector id>:<name>`. */
  sealed: string | null;
  rotatedAt: Date | null;
  /** How far it has been read. */
  cursor: unknown;
  lastEventAt: Date | null;
  lastPollAt: Date | null;
  lastError: string | null;
}

export type RotateAnswer = { ok: true; source: SourceState } | { ok: false; reason: 'not_found' | 'no_webhook' };

/** What a source did last. A field that is absent stays as it is. */
export interface SourceActivity {
  connectorId: string;
  name: string;
  /** When it last brought an event. Never goes back. */
  lastEventAt?: Date;
  /** When it was last read, successfully or not. Never goes back. */
  lastPollAt?: Date;
  /** What went wrong last; null: nothing any more. */
  lastError?: string | null;
}

/** A source that is on and whose last error stands. */
export interface FailingSource extends Pick<SourceState, 'name' | 'type' | 'lastPollAt'> {
  connectorId: string;
  organizationId: string;
  lastError: string;
}

/**
 * Sources on the published side. Every change of whether and with which secret they work raises the connector's revision, so that
 * services which cache the state read it again.
 */
export interface SourceStore {
  /** By name. */
  list(connectorId: string): Promise<SourceState[]>;
  /** null: the connector has no such source. */
  setEnabled(connectorId: string, name: string, enabled: boolean): Promise<SourceState | null>;
  /** From now on only the new secret is valid. */
  rotate(connectorId: string, name: string, sealed: string): Promise<RotateAnswer>;
  /** Asks for a reading of the source, now. null: the connector has no such source. */
  requestPoll(connectorId: string, name: string): Promise<SourceState | null>;
  /** Clears the last error of a source. null: the connector has no such source. */
  clearError(connectorId: string, name: string): Promise<SourceState | null>;
  /** Sources of all organizations that fail, those that were read last first. */
  failing(limit: number): Promise<FailingSource[]>;
  /** Notes what sources did; one that is not there any more is left out. No connector is announced for it. */
  note(activities: readonly SourceActivity[]): Promise<void>;
}
