import { type PackageFilePath, packageFilePaths } from '@sluice/contracts';
import type { ByteSource, ExportSnapshot, ExportSource, StoredPayload } from '@sluice/ports';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { asId, isUuid } from '../config/config-client';
import { asStoreError } from '../store-error';
import { packageQueries, type QueryScope, storedPayloadsQuery } from './package-queries';

/** Rows that are fetched at a time where each is looked at here. */
const pageSize = 100;
const connectMs = 5_000;

/**
 * Data exports read from Postgres: one transaction that sees one moment, on a connection of its own, because it lasts for
 * minutes. The database makes the lines, and COPY sends them: they only pass through.
 */
export function createExportSource(url: string): ExportSource {
  return {
    open: async ({ organizationId, connectorId }) => {
      const client = new Client({
        connectionString: url, application_name: 'sluice export', connectionTimeoutMillis: connectMs, keepAlive: true,
      });
      // Without a listener a connection that breaks between two statements would end the process. The next statement fails.
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
        const { rows } = await client.query<{ ids: string[]; now: Date }>(
          `SELECT now(), ARRAY(SELECT id FROM connectors WHERE organization_id = $1 AND deleted_at IS NULL
             AND ($2::uuid IS NULL OR id = $2) ORDER BY id)::text[] AS ids`,
          [asId(organizationId), connectorId && asId(connectorId)],
        );
        return new PostgresSnapshot(client, rows[0]!.ids, rows[0]!.now);
      } catch (error) {
        await client.end().catch(() => undefined);
        throw asStoreError(error);
      }
    },
  };
}

class PostgresSnapshot implements ExportSnapshot {
  private readonly scope: QueryScope;

  constructor(private readonly client: Client, readonly connectorIds: readonly string[], readonly takenAt: Date) {
    this.scope = { connectors: uuidArray(connectorIds) };
  }

  async estimate(): Promise<number> {
    let rows = 0;
    for (const path of packageFilePaths) {
      const query = packageQueries[path]?.(this.scope);
      if (query !== undefined) rows += await this.estimateOf(query);
    }
    return Math.round(rows);
  }

  async *lines(path: PackageFilePath): ByteSource {
    const query = packageQueries[path]?.(this.scope);
    if (query === undefined) return;
    try {
      yield* this.client.query(copyTo(copyOf(query))) as AsyncIterable<Buffer>;
    } catch (error) {
      throw asStoreError(error);
    }
  }

  storedPayloads(): AsyncIterable<StoredPayload> {
    return this.rows<StoredPayload>(storedPayloadsQuery(this.scope));
  }

  async *pluginCode(): AsyncGenerator<never> {
    // Nothing stores plugins.
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  private async *rows<T>(query: string): AsyncGenerator<T> {
    try {
      await this.client.query(`DECLARE looked_at NO SCROLL CURSOR FOR ${query}`);
      for (;;) {
        const { rows } = await this.client.query(`FETCH ${pageSize} FROM looked_at`);
        if (rows.length === 0) break;
        yield* rows as T[];
      }
      await this.client.query('CLOSE looked_at');
    } catch (error) {
      throw asStoreError(error);
    }
  }

  private async estimateOf(query: string): Promise<number> {
    const { rows } = await this.client.query(`EXPLAIN (FORMAT JSON) ${query}`).catch((error: unknown) => {
      throw asStoreError(error);
    });
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: { 'Plan Rows': number } }];
    return plan['Plan Rows'];
  }
}

/**
 * Lines as they are: quote and separator are characters that JSON text never holds, so that the server has nothing to escape.
 */
const copyOf = (query: string): string =>
  `COPY (${query}) TO STDOUT WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01', ESCAPE E'\\x01', ENCODING 'UTF8')`;

/** COPY takes no parameters: the ids become part of the statement, and are checked once more. */
function uuidArray(ids: readonly string[]): string {
  if (!ids.every(isUuid)) throw new Error('not a UUID');
  return `ARRAY[${ids.map((id) => `'${id}'`).join(',')}]::uuid[]`;
}
