import type { BlobStore, BreakerStore, ConfigReader, RunStore } from '@sluice/ports';
import type { MemoryConnection, MemoryLog, MemoryWriteCaps } from '@sluice/ports/testing';
import type { Prng } from './time/prng';
import type { SimCrm } from './crm/sim-crm';
import type { SimDestination } from './sim-destination';
import type { Scenario } from './worlds/scenario';
import type { SimNotes } from './sim-notes';
import type { Clock } from './time/virtual-time';

/** What all simulated processes share. */
export interface SimWorld {
  clock: Clock;
  prng: Prng;
  log: MemoryLog;
  store: RunStore;
  /** The store's connection of one process: it ends with the process, and with an outage of the database. */
  connect(): MemoryConnection;
  /** How the group expels each process, by its name. */
  expulsions: Map<string, () => void>;
  /** Of the flows whose outcomes the store settles. */
  breakers: BreakerStore;
  reader: ConfigReader;
  caps: MemoryWriteCaps;
  blobs: BlobStore;
  crm: SimCrm;
  /** What flows tell. */
  shop: SimDestination;
  notes: SimNotes;
  scenario: Scenario;
  /** Whether the database is away for all processes, and until when. */
  storeDown(): boolean;
  setStoreDown(until: number): void;
  /** Takes a copy of the database; the returned function restores it, except for the connectors. */
  copyStore(): () => void;
  /** Puts the database back to the last copy. */
  putStoreBack?: () => void;
  /** Checks a commit; throws when it is past unfinished work. */
  committed(partition: number, next: bigint): void;
  /** Faults are still injected: stores and networks may fail. */
  rough(): boolean;
  failed(error: unknown): void;
}
