import { type PackageFilePath, packageFilePaths } from '@sluice/contracts';
import {
  type ByteSource, type ExportSnapshot, type ExportSource, keptForEver, type PluginCode, type Retention, type StoredPayload,
} from '@sluice/ports';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { asId, isUuid } from '../config-client/config-client';
import { type KeptRows, keptRows } from '../kept-rows';
import { asStoreError } from '../store-error';
import type { QueryScope } from './line-sql';
import { packageQueries, storedPayloadsQuery } from './package-queries';
import { pluginCodeQuery } from './plugin-queries';

/** Rows that are fetched at a time where each is looked at here. */
const pageSize = 100;
/** Of code: one piece has up to 5 MiB. */
const codePageSize = 1;
const connectMs = 5_000;

/**
 * Data exports read from Postgres: one transaction that sees one moment, on a connection of its own, because it lasts for
 * minutes. The database makes the lines, and COPY sends them: they only pass through.
 */
export function createExportSource(url: string, retention: Retention = keptForEver): ExportSource {
  const kept = keptRows(retention);
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
        const { ids, now } = rows[0]!;
        return new PostgresSnapshot(client, { connectorIds: ids, organizationId, isOneConnector: connectorId !== null,
          takenAt: now, kept });
      } catch (error) {
        await client.end().catch(() => undefined);
        throw asStoreError(error);
      }
    },
  };
}

interface Opened {
  connectorIds: readonly string[];
  organizationId: string;
  isOneConnector: boolean;
  takenAt: Date;
  kept: KeptRows;
}

class PostgresSnapshot implements ExportSnapshot {
  readonly connectorIds: readonly string[];
  readonly takenAt: Date;
  private readonly scope: QueryScope;

  constructor(private readonly client: Client, { connectorIds, organizationId, isOneConnector, takenAt, kept }: Opened) {
    this.connectorIds = connectorIds;
    this.takenAt = takenAt;
    this.scope = { connectors: uuidArray(connectorIds), organization: uuidText(organizationId), isOneConnector, kept };
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

  pluginCode(): AsyncIterable<PluginCode> {
    return this.rows<PluginCode>(pluginCodeQuery(this.scope), codePageSize);
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  private async *rows<T>(query: string, size = pageSize): AsyncGenerator<T> {
    try {
      await this.client.query(`DECLARE looked_at NO SCROLL CURSOR FOR ${query}`);
      for (;;) {
        const { rows } = await this.client.query(`FETCH ${size} FROM looked_at`);
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

/** COPY takes no parameters: ids become part of the statement, and are checked once more. */
const uuidArray = (ids: readonly string[]): string => `ARRAY[${ids.map(uuidText).join(',')}]::uuid[]`;

function uuidText(id: string): string {
  if (!isUuid(id)) throw new Error('not a UUID');
  return `'${id}'::uuid`;
}
