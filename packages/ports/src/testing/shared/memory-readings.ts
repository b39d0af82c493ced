import type { SourceState } from '../../config-store';
import type { SourcePlan } from '../../sources/source-read-store';

/** What the twin of the config store keeps of a source beside its state. */
export interface MemoryReading extends SourcePlan {
  pollRequestedAt: Date | null;
  /** When it was published; the twin notes the time at which it is asked for first. */
  createdAt: Date;
  /** Digests by external id. */
  contents: Map<string, string>;
}

/** A source of a connector that is not deleted. */
export interface MemorySource {
  connectorId: string;
  organizationId: string;
  /** Its organization is closed for good. */
  closed: boolean;
  revision: number;
  /** Of the binding in force. */
  portalId: string | null;
  state: SourceState;
  reading: MemoryReading;
}

/** The sources of the twin, for those who read them. */
export interface MemorySources {
  find(connectorId: string, name: string): MemorySource | undefined;
  /** By connector and name. */
  all(): MemorySource[];
}

/** Readings by the state of their source: they begin and end with it. */
export class MemoryReadings {
  private readonly known = new WeakMap<SourceState, MemoryReading>();
  /** No two sources of the twin begin in the same millisecond. */
  private last = 0;

  of(state: SourceState): MemoryReading {
    const known = this.known.get(state);
    if (known) return known;
    this.last = Math.max(this.last + 1, Date.now());
    const reading: MemoryReading = {
      schedule: null, nextDueAt: null, waitUntil: null, retryAfterAt: null, failures: 0, pollRequestedAt: null,
      createdAt: new Date(this.last), contents: new Map(),
    };
    this.known.set(state, reading);
    return reading;
  }
}
