import type { ErrorGroup, ErrorSummary, TimeRange } from '@sluice/ports';
import type { Pool } from 'pg';
import type { KeptRows } from '../kept-rows';
import { retried } from '../transaction';

/** Records that are read, the newest, and records that a group names. */
const [mostScanned, mostNamed] = [2_000, 20];

/** The index sync_events_trouble has these rows alone, in this order. */
const sqlOf = ({ records }: KeptRows): string => `
  SELECT id, external_id, entity_name, created_at, error FROM ${records} s
  WHERE connector_id = $1 AND created_at >= $2 AND created_at < $3 AND status IN ('failed', 'dlq', 'partial_success', 'parked')
  ORDER BY created_at DESC, id DESC LIMIT ${mostScanned + 1}`;

/** See `MonitoringStore.errorSummary`. Records without an error message belong to no group. */
export async function errorSummary(
  pool: Pool, kept: KeptRows, connectorId: string, { since, until }: TimeRange,
): Promise<ErrorSummary> {
  const { rows } = await retried(() => pool.query(sqlOf(kept), [connectorId, since, until]));
  const groups = new Map<string, ErrorGroup>();
  for (const row of rows.slice(0, mostScanned)) {
    const { id, external_id: externalId, entity_name: entityName, created_at: createdAt, error } = row;
    if (error === null) continue;
    const group: ErrorGroup = groups.get(error) ?? { error, count: 0, records: [], firstSeen: createdAt, lastSeen: createdAt };
    group.count += 1;
    group.firstSeen = createdAt;
    if (group.records.length < mostNamed) group.records.push({ syncEventId: id, externalId, entityName, createdAt });
    groups.set(error, group);
  }
  // Rows come newest first, so the groups are in the order of their newest record.
  return { groups: [...groups.values()], scanned: Math.min(rows.length, mostScanned), capped: rows.length > mostScanned };
}
