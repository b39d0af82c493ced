import { Pool, types } from 'pg';
import { oneStatementAtATime } from './one-statement-at-a-time';
import { utcSession } from './utc-session';

export interface PoolOptions {
  /** Most connections at once. Default 10. */
  max?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** The server ends a statement after this. Default 15,000 ms. */
  statementTimeoutMs?: number;
  /** How long a caller waits for a connection before it gets StoreUnavailable. Default 5,000 ms. */
  connectionTimeoutMs?: number;
  /** Called for connections that break while idle; the pool replaces them by itself. */
  onError?: (error: Error) => void;
}

/**
 * Connection pool of one service, whose sessions are in UTC. A connection that breaks while idle is replaced; a query
 * on a broken one fails and is told apart by `asStoreError`. End it with `pool.end()`.
 */
export function createPool(url: string, options: PoolOptions = {}): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const pool = new Pool({
    connectionString: utcSession(url),
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'sluice',
    statement_timeout: statementTimeoutMs,
    // The client gives up a little later than the server, for a server that answers nothing at all.
    query_timeout: statementTimeoutMs + 2_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    keepAlive: true,
    types: { getTypeParser },
  });
  // Without listeners a connection that breaks while nobody waits for an answer would end the process, in the pool's
  // hands or, between two statements of a transaction, in ours. That transaction's next statement fails.
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', oneStatementAtATime);
  return pool;
}

/** bigint columns come as BigInt: offsets and epochs exceed what a number holds exactly. The rest as pg does. */
const getTypeParser: typeof types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === 20 && format !== 'binary' ? BigInt : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser;
