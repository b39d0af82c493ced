import { auditEntriesOf, type AuditScope, retry } from '@sluice/ports';
import type { Prisma, PrismaClient } from '../generated/client';
import { addAuditEntry } from './add-audit-entry';

export type Transaction = Prisma.TransactionClient;
/** The client itself or one of its transactions. */
export type Reader = PrismaClient | Transaction;

/** Milliseconds: how long one waits for a connection, and how long a transaction may take. */
const limits = { maxWait: 5_000, timeout: 15_000 };

/**
 * Runs `work` in one transaction (read committed: a statement after a lock sees what its holder committed). What it changes is
 * written to the audit log with it, where an audit scope asks for that.
 */
export function inTransaction<T>(
  prisma: PrismaClient,
  work: (tx: Transaction) => Promise<T>,
  timeout = limits.timeout,
): Promise<T> {
  const once = async (): Promise<T> => {
    const { result, scope } = await prisma.$transaction((tx) => recorded(tx, work), { ...limits, timeout });
    if (scope) scope.written = true;
    return result;
  };
  return retry(once, (error, runs) => {
    // A deadlock or a serialization failure undid everything: the whole may be run again.
    if (runs >= maxRuns || !isConflict(error)) throw error;
  });
}

async function recorded<T>(
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; scope: AuditScope | undefined }> {
  const result = await work(tx);
  const found = auditEntriesOf(result);
  for (const entry of found?.entries ?? []) await addAuditEntry(tx, entry);
  return { result, scope: found?.scope };
}

const maxRuns = 5;

/** A conflict of two transactions. Prisma has its own code for it, but not for raw statements. */
export function isConflict(error: unknown): boolean {
  if (!isObject(error)) return false;
  return (
    error.code === 'P2034' || (error.code === 'P2010' && JSON.stringify(error.meta ?? {}).includes('TransactionWriteConflict'))
  );
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Postgres throws on a malformed UUID; to a caller such an id is simply unknown. */
export const isUuid = (text: string): boolean => uuidShape.test(text);

/** An id to look for: nothing has the one that stands for malformed ones. */
export const asId = (text: string): string => (isUuid(text) ? text : '00000000-0000-0000-0000-000000000000');

/** What a unique index refused, by the name of one of its columns. */
export function violates(error: unknown, column: string): boolean {
  if (!isObject(error) || error.code !== 'P2002') return false;
  return JSON.stringify(error.meta ?? {}).includes(column);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A value for a JSON column. What comes in here came out of JSON or is built of plain values. */
export const json = (value: unknown): Prisma.InputJsonValue => value as Prisma.InputJsonValue;
