import type { PartitionLease, SettleAnswer, Settlement } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { bulkParameter, bulkRows } from '../bulk-rows';
import { inTransaction } from '../transaction';
import { settleClaims } from './settle-claims';
import { settleHeld } from './settle-held';
import { settleMappings } from './settle-mappings';
import { settleRows } from './settle-rows';

/**
 * Writes what became of many units in one transaction: a statement per table, and only for tables that have
 * something to write. Settlements whose epoch is old are left out whole (DESIGN 2.4).
 */
export async function settle(pool: Pool, settlements: readonly Settlement[]): Promise<SettleAnswer> {
  if (settlements.length === 0) return { refused: [], heldLeft: new Map() };
  return inTransaction(pool, async (client) => {
    const current = await currentEpochs(client, settlements.map(({ lease }) => lease));
    const isCurrent = ({ lease }: Settlement): boolean => current.get(leaseKey(lease)) === lease.epoch;
    const kept = settlements.filter(isCurrent);
    await settleRows(client, kept);
    await settleMappings(client, kept);
    await settleClaims(client, kept);
    const heldLeft = await settleHeld(client, kept);
    return { refused: settlements.flatMap((settlement, index) => (isCurrent(settlement) ? [] : [index])), heldLeft };
  });
}

const leaseKey = ({ topic, partition }: PartitionLease): string => `${partition} ${topic}`;

const refs = bulkRows({ topic: 'text', partition: 'integer' });

/** The lock lets renewals pass (they change no key) and makes a new owner wait until this transaction is through. */
const fenceSql = `
  SELECT o.topic, o.partition, o.epoch FROM partition_owners o JOIN ${refs.from} USING (topic, partition)
  ORDER BY o.topic, o.partition FOR KEY SHARE OF o`;

async function currentEpochs(client: PoolClient, leases: readonly PartitionLease[]): Promise<Map<string, bigint>> {
  const unique = new Map(leases.map((lease) => [leaseKey(lease), { topic: lease.topic, partition: lease.partition }]));
  const { rows } = await client.query({ name: 'settle-fence', text: fenceSql, values: [bulkParameter([...unique.values()])] });
  return new Map(rows.map((row) => [leaseKey(row), BigInt(row.epoch)]));
}
