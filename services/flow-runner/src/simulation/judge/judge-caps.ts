import type { LandedWrite } from '../crm-log';
import type { Trial } from './trial';

/**
 * Before its release a connector writes no more than its cap and one batch, whatever dies and however many runners write. Writes
 * without an answer are sent again, and count then.
 */
export function judgeCaps({ caps, byNumber, crm }: Trial): void {
  for (const { connectorId, limit, releasedAt } of caps) {
    const own = crm.writes.filter(({ n, sentAt, heardAt }) =>
      heardAt !== null && byNumber.get(n)!.envelope.connector_id === connectorId && sentAt < (releasedAt ?? Infinity));
    const largest = Math.max(0, ...batchSizes(own));
    if (own.length >= limit + largest && own.length > 0)
      throw new Error(`cap: ${connectorId} wrote ${own.length} records before its release, with a cap of ${limit} and batches of ${largest}`);
  }
}

/** Writes that were sent together. */
function batchSizes(writes: readonly LandedWrite[]): number[] {
  const batches = new Map<string, number>();
  for (const { by, sentAt } of writes) batches.set(`${by} ${sentAt}`, (batches.get(`${by} ${sentAt}`) ?? 0) + 1);
  return [...batches.values()];
}
