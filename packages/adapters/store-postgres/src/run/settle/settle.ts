import type { BreakerSettings, FlowBreaker, OwnedLease, PartitionLease, SettleAnswer, Settlement } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { noteOutcomes } from '../../breakers/note-outcomes';
import { bulkParameter, bulkRows } from '../../bulk-rows';
import { settleImportRows } from '../../imports/settle-import-rows';
import { inTransaction } from '../../transaction';
import { leaseColumns } from '../partition-ownership';
import { settleClaims } from './settle-claims';
import { settleConflicts } from './settle-conflicts';
import { settleHeld } from './settle-held';
import { settleMappings } from './settle-mappings';
import { settlePluginWrites } from './settle-plugin-writes';
import { settleRecordWrites } from './settle-record-writes';
import { settleRemovals } from './settle-removals';
import { settleRows } from './settle-rows';

/**
 * Writes the results of many units in one transaction: one statement per table with something to write. A settlement is left out
 * completely when its epoch is old, when its owner knows a later revision than the database (which was then restored to an
 * earlier state, ADR 0052), or when its unit ran under an older binding of its connector.
 */
export async function settle(
  pool: Pool,
  settlements: readonly Settlement[],
  owned: readonly OwnedLease[] = [],
  breakerSettings?: BreakerSettings,
): Promise<SettleAnswer> {
  if (settlements.length === 0) return { refused: [], rebound: [], revisions: [], heldLeft: new Map(), breakers: [] };
  // Settlements of one ownership mostly share the object of their lease: its key is made once for all of them.
  const distinct = new Set(settlements.map(({ lease }) => lease));
  const leases = new Map([...distinct, ...owned].map((lease) => [leaseKey(lease), lease]));
  return inTransaction(pool, async (client) => {
    const { revisions, bindings } = await fence(client, [...leases.values()], boundConnectors(settlements));
    const keys = new Set(revisions.map(leaseKey));
    const current = new Set([...distinct].filter((lease) => keys.has(leaseKey(lease))));
    const isCurrent = ({ lease }: Settlement): boolean => current.has(lease);
    const isRebound = ({ connectorId, bindingEpoch }: Settlement): boolean =>
      bindingEpoch !== undefined && bindings.get(connectorId) !== bindingEpoch;
    const kept = settlements.filter((one) => isCurrent(one) && !isRebound(one));
    await settleRemovals(client, kept);
    await settleMappings(client, kept);
    await settleRecordWrites(client, kept);
    await settleClaims(client, kept);
    await settleConflicts(client, kept);
    await settlePluginWrites(client, kept);
    const heldLeft = await settleHeld(client, kept);
    const breakers = breakerSettings ? await settleBreakers(client, kept, breakerSettings) : [];
    await settleImportRows(client, kept);
    // Last: other settles of the connector wait for its counts until this transaction ends.
    await settleRows(client, kept);
    const indexesOf = (which: (settlement: Settlement) => boolean): number[] =>
      settlements.flatMap((settlement, index) => (which(settlement) ? [index] : []));
    const rebound = indexesOf((one) => isCurrent(one) && isRebound(one));
    return { refused: indexesOf((one) => !isCurrent(one)), rebound, revisions, heldLeft, breakers };
  });
}

function settleBreakers(
  client: PoolClient, settlements: readonly Settlement[], settings: BreakerSettings,
): Promise<FlowBreaker[]> {
  const outcomes = settlements.flatMap(({ flowOutcome }) => flowOutcome ?? []);
  return noteOutcomes(client, outcomes, settings);
}

/** The connectors whose bindings decide whether their settlements count. */
const boundConnectors = (settlements: readonly Settlement[]): string[] => [
  ...new Set(settlements.flatMap(({ connectorId, bindingEpoch }) => (bindingEpoch === undefined ? [] : [connectorId]))),
];

const leaseKey = ({ topic, partition, epoch }: PartitionLease): string => `${partition} ${epoch} ${topic}`;

const known = bulkRows({ topic: 'text', partition: 'integer', epoch: 'bigint', settled_offset: 'bigint', revision: 'bigint' });

/**
 * The lock on the owner's row does not block renewals (they change no key) and makes a new owner wait for this transaction. The
 * settled offset is stored in the same transaction, so that it is also right in a restored database. The lock on a binding makes
 * a rebind wait for this transaction.
 */
const fenceSql = `
  WITH owned AS MATERIALIZED (
    SELECT o.topic, o.partition, o.epoch, r.settled_offset, r.revision
    FROM partition_owners o JOIN ${known.from} ON o.topic = r.topic AND o.partition = r.partition AND o.epoch = r.epoch
    ORDER BY o.topic, o.partition FOR KEY SHARE OF o
  ),
  settled AS (
    UPDATE partition_progress p SET revision = p.revision + 1, settled_offset = greatest(p.settled_offset, owned.settled_offset)
    FROM owned WHERE p.topic = owned.topic AND p.partition = owned.partition AND p.revision >= owned.revision
    RETURNING p.topic, p.partition, owned.epoch, p.revision
  ),
  bound AS MATERIALIZED (
    SELECT connector_id, epoch FROM connector_bindings WHERE connector_id = ANY($2::uuid[]) ORDER BY connector_id FOR KEY SHARE
  )
  SELECT topic, partition, epoch, revision, NULL AS connector_id FROM settled
  UNION ALL SELECT NULL, NULL, epoch, NULL, connector_id FROM bound`;

interface Fence {
  /** The partitions that may be settled, with their new revisions. */
  revisions: SettleAnswer['revisions'];
  /** The binding epoch in force of each connector that has one. */
  bindings: ReadonlyMap<string, number>;
}

/** Locks the partitions and stores their settled offsets; locks the bindings of the connectors. */
async function fence(client: PoolClient, leases: readonly OwnedLease[], connectors: readonly string[]): Promise<Fence> {
  const { rows } = await client.query({
    name: 'settle-fence',
    text: fenceSql,
    values: [bulkParameter(leases.map(leaseColumns)), connectors],
  });
  const ofConnector = (row: { connector_id: string | null }): boolean => row.connector_id !== null;
  return {
    revisions: rows.filter((row) => !ofConnector(row)).map(({ topic, partition, epoch, revision }) => ({
      topic,
      partition,
      epoch: BigInt(epoch),
      revision: BigInt(revision),
    })),
    bindings: new Map(rows.filter(ofConnector).map((row) => [row.connector_id, Number(row.epoch)])),
  };
}
