import { Client } from 'pg';

/** Connectors in an organization. */
const perOrganization = 100;

/** A row of a table with other values in some columns. */
const copyOf = (table: string, values: string): string =>
  `(jsonb_populate_record(NULL::${table}, to_jsonb(pattern) || ${values})).*`;

/** Ids are made of the number of the copy: all tables name the same. */
const idOf = (number: string, kind: string): string => `md5('bench ${kind} ' || ${number})::uuid`;
const organizationOf = `${idOf(`n / ${perOrganization}`, 'organization')}`;
const connectorOf = idOf('n', 'connector');

const organizationsSql = `
  INSERT INTO organizations SELECT ${copyOf('organizations', `jsonb_build_object('id', ${idOf('n', 'organization')})`)}
  FROM organizations pattern, generate_series($2::int / ${perOrganization}, $3::int / ${perOrganization}) n
  WHERE id = (SELECT organization_id FROM connectors WHERE id = $1) ON CONFLICT (id) DO NOTHING`;
const connectorsSql = `
  INSERT INTO connectors SELECT ${copyOf('connectors',
    `jsonb_build_object('id', ${connectorOf}, 'organization_id', ${organizationOf})`)}
  FROM connectors pattern, generate_series($2::int, $3::int) n WHERE id = $1`;
const versionsSql = `
  INSERT INTO versions SELECT ${copyOf('versions', `jsonb_build_object('connector_id', ${connectorOf},
    'config', replace(pattern.config::text, '/list/0', '/list/' || n)::json)`)}
  FROM versions pattern, generate_series($2::int, $3::int) n WHERE connector_id = $1`;
const sourcesSql = `
  INSERT INTO connector_sources SELECT ${copyOf('connector_sources', `jsonb_build_object('connector_id', ${connectorOf})`)}
  FROM connector_sources pattern, generate_series($2::int, $3::int) n WHERE connector_id = $1`;

/**
 * Copies a published connector whose poller reads `/list/0` in the database, as if each had been published: copy `n` reads
 * `/list/n`. A hundred are in one organization.
 * @param from number of the first copy
 * @param to of the last
 */
export async function copyPollers(databaseUrl: string, connectorId: string, from: number, to: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const sql of [organizationsSql, connectorsSql, versionsSql, sourcesSql]) await client.query(sql,
      [connectorId, from, to]);
    await client.query('VACUUM ANALYZE connectors, versions, connector_sources, background_tasks');
  } finally {
    await client.end();
  }
}

/** Makes every poller due at once, and forgets what was read. */
export async function forgetReadings(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`UPDATE connector_sources SET due_schedule = NULL, next_due_at = NULL, wait_until = NULL WHERE type = 'poller'`);
    await client.query(`DELETE FROM background_tasks WHERE worker = 'sources.read'`);
  } finally {
    await client.end();
  }
}
