import { createHash } from 'node:crypto';
import type { FunctionCodeStore, StoredFunction } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { isUuid } from '../config-client/config-client';
import { inTransaction, retried } from '../transaction';

const maxVersion = 2_147_483_647;

/** The code of functions for the platform `local`. */
export function createFunctionCodeStore(pool: Pool): FunctionCodeStore {
  return {
    putLatest: (fn, code) => inTransaction(pool, (client) => putLatest(client, fn, code)),

    publish: (fn, code, operation) => inTransaction(pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [fn.functionArn]);
      const known = await client.query(
        'SELECT version FROM local_function_versions WHERE function_arn = $1 AND operation = $2', [fn.functionArn, operation],
      );
      if (known.rows[0]) return known.rows[0].version as number;
      await putLatest(client, fn, code);
      const { rows } = await client.query(
        `INSERT INTO local_function_versions (function_arn, version, organization_id, sha256, operation)
         SELECT $1, coalesce(max(version), 0) + 1, $2, $3, $4 FROM local_function_versions WHERE function_arn = $1
         RETURNING version`,
        [fn.functionArn, fn.organizationId, sha256(code), operation],
      );
      return rows[0].version as number;
    }),

    async find(functionArn, qualifier) {
      if (qualifier !== '$LATEST' && !(Number.isInteger(qualifier) && qualifier > 0 && qualifier <= maxVersion)) return null;
      const { rows } = await retried(() => qualifier === '$LATEST'
        ? pool.query(
          'SELECT organization_id, latest_sha256 AS sha256 FROM local_functions WHERE function_arn = $1', [functionArn],
        )
        : pool.query(
            'SELECT organization_id, sha256 FROM local_function_versions WHERE function_arn = $1 AND version = $2',
            [functionArn, qualifier],
          ));
      return rows[0] ? { organizationId: rows[0].organization_id, sha256: rows[0].sha256 } : null;
    },

    async code({ organizationId, sha256: hash }) {
      if (!isUuid(organizationId)) return null;
      const { rows } = await retried(() =>
        pool.query('SELECT code FROM local_function_code WHERE organization_id = $1 AND sha256 = $2', [organizationId, hash]));
      return rows[0]?.code ?? null;
    },

    remove: (functionArn) => inTransaction(pool, async (client) => {
      const codes = await client.query(
        `SELECT organization_id, sha256 FROM local_function_versions WHERE function_arn = $1
         UNION SELECT organization_id, latest_sha256 FROM local_functions WHERE function_arn = $1`,
        [functionArn],
      );
      await client.query('DELETE FROM local_functions WHERE function_arn = $1', [functionArn]);
      for (const { organization_id: organizationId, sha256: hash } of codes.rows) await dropUnused(client, organizationId, hash);
    }),
  };
}

const sha256 = (code: string): string => createHash('sha256').update(code).digest('hex');

async function putLatest(client: PoolClient, { functionArn, organizationId }: StoredFunction, code: string): Promise<void> {
  const hash = sha256(code);
  const before = await client.query(
    'SELECT latest_sha256 FROM local_functions WHERE function_arn = $1 FOR UPDATE', [functionArn],
  );
  await lockCode(client, organizationId, hash);
  await client.query(
    'INSERT INTO local_function_code (organization_id, sha256, code) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [organizationId, hash, code],
  );
  await client.query(
    `INSERT INTO local_functions (function_arn, organization_id, latest_sha256) VALUES ($1, $2, $3)
     ON CONFLICT (function_arn) DO UPDATE SET latest_sha256 = excluded.latest_sha256`,
    [functionArn, organizationId, hash],
  );
  const replaced = before.rows[0]?.latest_sha256;
  if (replaced && replaced !== hash) await dropUnused(client, organizationId, replaced);
}

/** Nobody drops code between the moment at which another finds it and the one at which he refers to it. */
async function lockCode(client: PoolClient, organizationId: string, hash: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [`${organizationId}/${hash}`]);
}

async function dropUnused(client: PoolClient, organizationId: string, hash: string): Promise<void> {
  await lockCode(client, organizationId, hash);
  await client.query(
    `DELETE FROM local_function_code c WHERE organization_id = $1 AND sha256 = $2
       AND NOT EXISTS (SELECT FROM local_functions f WHERE f.organization_id = c.organization_id AND f.latest_sha256 = c.sha256)
       AND NOT EXISTS (
         SELECT FROM local_function_versions v WHERE v.organization_id = c.organization_id AND v.sha256 = c.sha256)`,
    [organizationId, hash],
  );
}
