import type { Transaction } from '../../config-client/config-client';

/** Milliseconds that counting may take: a person waits for the answer that shows the number. */
const countTimeMs = 2_000;

/**
 * Identity mappings a connector holds; null when they cannot be counted in time. The savepoint keeps the transaction usable after
 * a count that failed, and gives back the time that its other statements may take.
 */
export async function countMappings(tx: Transaction, connectorId: string): Promise<number | null> {
  await tx.$executeRawUnsafe('SAVEPOINT counting');
  try {
    await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${countTimeMs}`);
    return await tx.identityMapping.count({ where: { connector_id: connectorId } });
  } catch {
    // Whatever the reason: the caller treats an unknown number as one that is not 0. A lost connection fails the rollback.
    return null;
  } finally {
    await tx.$executeRawUnsafe('ROLLBACK TO SAVEPOINT counting');
  }
}
