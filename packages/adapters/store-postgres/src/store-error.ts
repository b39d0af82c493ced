import { StoreUnavailable } from '@sluice/ports';

/** Codes of Node sockets that mean: no server, or the connection to it broke. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
  'ENOENT',
]);

/**
 * Codes of the server: shut down by an administrator, crashed, starting up, too many connections, out of disk, statement timeout,
 * read-only after a failover.
 */
const serverCodes = new Set(['57P01', '57P02', '57P03', '53100', '53200', '53300', '57014', '55P03', '25006', '25P03']);

/** Messages of pg without a code, when a connection ends or does not answer. */
const messages = /connection terminated|connection ended|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|not queryable|timeout expired/i;

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Whether the database could not be asked; the same statement may work later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  const code = codeOf(error);
  if (code.startsWith('08') || socketCodes.has(code) || serverCodes.has(code)) return true;
  return error instanceof Error && messages.test(error.message);
}

/** A conflict of two transactions: the whole transaction may be run again at once. */
export const isConflict = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01';

/**
 * The error to throw to the outside: `StoreUnavailable` (with the cause) when the database could not be asked,
 * the error itself otherwise, which then is a bug of ours.
 */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(isUnavailable(error) || isConflict(error))) return error;
  const code = codeOf(error);
  return new StoreUnavailable(`the database cannot be asked${code ? ` (${code})` : ''}`, { cause: error });
}
