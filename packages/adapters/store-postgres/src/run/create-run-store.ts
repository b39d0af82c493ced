import type { RunStore } from '@sluice/ports';
import type { Pool } from 'pg';
import { claim } from './claim';
import { crashWatchStore } from './crash-watch';
import { finished } from './finished';
import { heldOrderings } from './held-orderings';
import { haveNewerRemovals } from './newer-removals';
import { haveNewerWrites } from './newer-writes';
import { partitionOwnership } from './partition-ownership';
import { heldCounts, heldRows, oldestHeld } from './read-held';
import { heldConnectors, heldScopesDue, heldScopesOfLanes } from './read-held-scopes';
import { mappingsTo, readMappings } from './read-mappings';
import { settle } from './settle/settle';

/** The runner's store on Postgres. Every method throws `StoreUnavailable` when the database cannot be asked. */
export function createRunStore(pool: Pool): RunStore {
  return {
    ownership: partitionOwnership(pool),
    crashWatch: crashWatchStore(pool),
    finished: (units) => finished(pool, units),
    settle: (...input) => settle(pool, ...input),
    mappings: (keys) => readMappings(pool, keys),
    mappingsTo: (records) => mappingsTo(pool, records),
    haveNewerRemovals: (asked) => haveNewerRemovals(pool, asked),
    haveNewerWrites: (asked) => haveNewerWrites(pool, asked),
    claim: (claims, claimant, options) => claim(pool, claims, claimant, options),
    heldConnectors: (ref, limit, after) => heldConnectors(pool, ref, limit, after),
    heldScopesDue: (ref, asked) => heldScopesDue(pool, ref, asked),
    heldScopesOfLanes: (ref, lanes) => heldScopesOfLanes(pool, ref, lanes),
    heldRows: (...asked) => heldRows(pool, ...asked),
    heldCounts: (connectorId) => heldCounts(pool, connectorId),
    oldestHeld: () => oldestHeld(pool),
    heldOrderings: (ref, connectorId) => heldOrderings(pool, ref, connectorId),
  };
}
