import { StoreUnavailable } from '@sluice/ports';
import { asStoreError } from '../store-error';
import { isConflict } from './config-client';

/** Codes of Prisma that mean the database could not be asked, or went away while it was. */
const unreachable = new Set(['P1000', 'P1001', 'P1002', 'P1008', 'P1010', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037']);
const unreachableWords = /DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|Can't reach database|Connection terminated|ECONNREFUSED|ECONNRESET|ETIMEDOUT|timeout exceeded when trying to connect|terminating connection|the database system is (?:starting|shutting)/i;

/** `StoreUnavailable` for errors that say the database is away, every other error unchanged. */
function storeError(error: unknown): unknown {
  const known = asStoreError(error);
  if (known instanceof StoreUnavailable || !(error instanceof Error)) return known;
  const code = (error as { code?: unknown }).code;
  const away =
    isConflict(error) ||
    (typeof code === 'string' && unreachable.has(code)) ||
    error.name === 'PrismaClientInitializationError' ||
    unreachableWords.test(error.message);
  return away ? new StoreUnavailable('the database cannot be asked', { cause: error }) : error;
}

/** The same methods, with errors of a database that is away told apart as `StoreUnavailable`. */
export function mapStoreOutage<T extends object>(store: T): T {
  return Object.fromEntries(Object.entries(store).map(([name, method]) => [name, async (...args: unknown[]) => {
    try {
      return await (method as (...given: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      throw storeError(error);
    }
  }])) as T;
}
