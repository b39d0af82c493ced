import type { RecordStatus } from '../run-store/run-store';
import type { Fence } from '../tasks/task-store';

/** A span of time; `until` is exclusive. */
export interface TimeRange {
  since: Date;
  until: Date;
}

/** Length of the steps of a series, cut by UTC. */
export type SeriesStep = 'minute' | 'hour' | 'day';

/** What ended in one step of a series. Steps without anything are left out. */
export interface RecordStep {
  at: Date;
  byStatus: Partial<Record<RecordStatus, number>>;
  /** Times from accept to end of completed first runs, by the classes of `latencyBoundsMs`. */
  latency: number[];
}

export interface CountStep {
  at: Date;
  value: number;
}

/** What processes count in memory and store every few seconds. */
export type ProcessCount = 'crm_calls' | 'ingest_requests' | 'ingest_unavailable';

export interface ProcessCountEntry {
  connectorId: string;
  name: ProcessCount;
  value: number;
}

/** Records with the same error. */
export interface ErrorGroup {
  error: string;
  count: number;
  /** The newest, at most 20. */
  records: { syncEventId: string; externalId: string | null; entityName: string | null; createdAt: Date }[];
  firstSeen: Date;
  lastSeen: Date;
}

export interface ErrorSummary {
  /** Those with the newest record first. */
  groups: ErrorGroup[];
  /** Records that were read, the newest; `capped`: there are more in the range. */
  scanned: number;
  capped: boolean;
}

/** Units of a connector that have not ended. Counts end at `mostWaiting`. */
export interface WaitingUnits {
  /** In the held store. */
  held: number;
  /** In the log: read by the index, neither ended nor held. */
  inLog: number;
  /** When the one accepted first was accepted; null: nothing waits. */
  oldestAcceptedAt: Date | null;
}

export interface DailyEvents {
  day: Date;
  connectorId: string;
  sourceName: string;
  events: number;
}

/** Where counts of waiting units end. */
export const mostWaiting = 200_000;

/**
 * What happened and what waits, for people and operators. Counts are stored with what they count; every method reads a bounded
 * number of rows. Any may throw `StoreUnavailable`.
 */
export interface MonitoringStore {
  /** Records that ended, in steps of time. */
  recordSeries(connectorId: string, range: TimeRange, step: SeriesStep): Promise<RecordStep[]>;
  /** How many records ended since a time, to the millisecond. For the last hours only. */
  endedSince(connectorId: string, since: Date): Promise<number>;
  /** Entities that were accepted, in steps of time. */
  eventSeries(connectorId: string, range: TimeRange, step: SeriesStep): Promise<CountStep[]>;
  processSeries(connectorId: string, name: ProcessCount, range: TimeRange, step: SeriesStep): Promise<CountStep[]>;
  /** Skipped records by flow, those that no flow matched under the empty name. Whole days and today's minutes. */
  skipsByFlow(connectorId: string, range: TimeRange): Promise<Record<string, number>>;
  /** Records that need attention, grouped by their error. */
  errorSummary(connectorId: string, range: TimeRange): Promise<ErrorSummary>;
  /** @param unreadSince accept time of the oldest event of the log that is not settled; null: there is none */
  waiting(connectorId: string, direction: 'inbound' | 'outbound', unreadSince: Date | null): Promise<WaitingUnits>;
  /** When an event was first accepted; null: the index does not have it, or it is another connector's. */
  acceptedAt(connectorId: string, eventId: string): Promise<Date | null>;
  /** Adds what a process has counted since it last did. */
  addProcessCounts(entries: readonly ProcessCountEntry[]): Promise<void>;
  dailyEvents(organizationId: string, range: TimeRange): Promise<DailyEvents[]>;
  /** Adds ended hours and days up and deletes hours and days that nobody asks for any more. @returns rows that were added up */
  fold(now: Date, fence: Fence): Promise<number>;
  /** Counts everything again from the rows themselves, up to a time that must lie some minutes back. */
  rebuild(until: Date, fence: Fence): Promise<void>;
  storeTime(): Promise<Date>;
}
