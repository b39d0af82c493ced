import { type Finding, finding } from '@sluice/config-model';
import { type ConnectorRow, hasWriteCap, mostWaiting, type OrganizationRow, type WriteCap } from '@sluice/ports';
import type { PreflightDeps } from './deps';

/** How many records a first sync of what waits would write, where a write cap applies or would: each event writes one or more. */
export async function firstSyncFindings(
  { countWaiting, writeCapLimit }: Pick<PreflightDeps, 'countWaiting' | 'writeCapLimit'>,
  { tier, writeCapReview }: OrganizationRow,
  { id, activeVersion, writeCap }: ConnectorRow,
): Promise<Finding[]> {
  const willHave = activeVersion === null && hasWriteCap(tier, writeCapReview);
  const cap = writeCap ?? (willHave ? newCap(writeCapLimit) : null);
  if (cap?.state !== 'armed' && cap?.state !== 'tripped') return [];
  return [finding({ severity: 'info', code: 'first_sync_records', message: messageOf(await countWaiting(id), cap) })];
}

const newCap = (limit: number): WriteCap => ({ state: 'armed', limit, writes: 0, trippedAt: null });

function messageOf(waiting: number, { state, limit, writes }: WriteCap): string {
  const count = waiting >= mostWaiting ? `at least ${mostWaiting}` : String(waiting);
  const wait = waiting === 1 ? 'record waits' : 'records wait';
  const then = state === 'tripped'
    ? `the write cap of ${limit} is reached, and an owner has to release it`
    : `the connector pauses after ${limit} records for a review, and has written ${writes}`;
  return `${count} ${wait} for a first sync, which would write as many; ${then}`;
}
