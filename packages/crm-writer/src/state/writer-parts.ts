import type { MonotonicClock, StoreClock } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import type { SingleTypes } from '../session/association-limits';
import type { AssociationTypes } from '../session/association-types';
import type { ClaimTimes } from './claim-times';
import type { Fingerprints } from './fingerprints';
import type { IdentityClaims } from './identity-claims';
import type { LatestWrites } from './latest-writes';
import type { MappingLookup } from './mapping-lookup';
import type { MappingRemovals } from './mapping-removals';
import type { TokenApp } from '../session/token-app';
import type { PropertyCatalog } from '../session/property-catalog';
import type { RecordMappings } from './record-mappings';
import type { WriteCauses } from './write-causes';

/** Caches and claims that the parts of the writer share, for all portals of the process. */
export interface WriterParts {
  activity: Activity;
  claimTimes: ClaimTimes;
  monotonicNow: MonotonicClock;
  /** Dates what is stored. */
  storeNow: StoreClock;
  sleep(ms: number): Promise<void>;
  mappings: MappingLookup;
  landed: LatestWrites;
  claims: IdentityClaims;
  catalog: PropertyCatalog;
  associationTypes: AssociationTypes;
  singleTypes: SingleTypes;
  recordMappings: RecordMappings;
  removals: MappingRemovals;
  tokenApp: TokenApp;
  fingerprints: Fingerprints;
  causes: WriteCauses;
  /** Whether guarded writes of which nothing is known yet create before they read (ADR 0340). */
  expectsNewRecords: boolean;
}
