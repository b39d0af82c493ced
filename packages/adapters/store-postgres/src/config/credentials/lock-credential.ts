import { CredentialRefreshBusy } from '@sluice/ports';
import type { Transaction } from '../../config-client/config-client';

/** Milliseconds: less than a refresh may take, so that callers of a slow CRM do not use up the connections to the database. */
const defaultWaitMs = 5_000;

/**
 * Locks a credential, which is locked by others while the CRM refreshes its token.
 * @throws CredentialRefreshBusy when that takes longer than `waitMs`
 */
export async function lockCredential(tx: Transaction, id: string, waitMs = defaultWaitMs): Promise<void> {
  await tx.$queryRaw`SELECT set_config('lock_timeout', ${`${waitMs}ms`}, true)`;
  try {
    await tx.$queryRaw`SELECT 1 FROM credentials WHERE id = ${id}::uuid FOR UPDATE`;
  } catch (error) {
    throw isLockTimeout(error) ? new CredentialRefreshBusy('the token is being refreshed by another caller') : error;
  }
  await tx.$queryRaw`SELECT set_config('lock_timeout', '0', true)`;
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && /lock timeout|55P03/.test(error.message);
