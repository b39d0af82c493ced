import type { ConnectorChange } from '@sluice/contracts';
import type { Activity, CrmWriter, UnitEffects } from '@sluice/crm-writer';
import type { TraceRules } from '@sluice/flow-run';
import type { BlobStore, StoreClock } from '@sluice/ports';
import type { Targets } from '@sluice/rest-targets';
import type { PluginDeps } from '../../plugins/attempt-plugins';
import type { ImportStops } from './import-stops';
import type { AttemptEnd } from '../verdicts/judge-attempt';
import type { ReadMemory } from '../read-memory';
import type { RetryPolicy } from '../verdicts/retry-policy';
import type { Unit } from '../unit';

/** What attempts work with. */
export interface AttemptDeps {
  writer: CrmWriter;
  targets: Targets;
  plugins: PluginDeps;
  blobs: BlobStore;
  readMemory: Pick<ReadMemory, 'payload'>;
  /** Reading a payload is waiting (ADR 0006). */
  activity: Pick<Activity, 'waiting'>;
  importStops: Pick<ImportStops, 'of'>;
  policy: RetryPolicy;
  /** Bytes of a file that a step exports. */
  maxFileBytes: number;
  /** Characters of the outputs of steps that an event keeps while it waits. */
  keptCharacters: number;
  /** How long after it was sent a write without an answer may still land, milliseconds. */
  lateWriteMs: number;
  /** How much of its steps a record keeps, and which secrets are masked in them. */
  traces(connector: ConnectorChange): TraceRules;
  /** Dates steps, and decides what has expired. */
  storeNow: StoreClock;
  owns(unit: Unit): boolean;
  /** Since when this runner owns its partition, by the writer's clock; null: it does not. */
  ownedSince(unit: Unit): number | null;
}

/** How an attempt ended, and the effects to store with it. */
export interface Attempt {
  end: AttemptEnd;
  effects: UnitEffects;
  /** The binding epoch that what it did and found depends on; null: on none. */
  binding: number | null;
}
