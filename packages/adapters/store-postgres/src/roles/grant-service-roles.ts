import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { asStoreError } from '../store-error';
import { scramSecret } from './scram-secret';
import { privilegesOn, type TableGroup, type TableGroupName, tableGroups } from './table-groups';

export interface ServiceRole {
  /** Name of the service; its role is `sluice_` and the name with underscores. */
  service: string;
  /** null: a role that is there keeps its password, and one that is missing is not made. */
  password: string | null;
  holds: readonly TableGroupName[];
}

export const roleOf = (service: string): string => `sluice_${service.replaceAll('-', '_')}`;

/**
 * Gives each service's role what it may do with the tables that are there, and takes everything else from it. Makes a role that
 * is missing, and sets its password, where one is given. It is one transaction: services keep their rights meanwhile.
 * @param url of the role that owns the tables; to make roles it needs CREATEROLE
 * @throws StoreUnavailable; Error of Postgres when it may not
 * @returns names of the roles that were given rights
 */
export async function grantServiceRoles(url: string, roles: readonly ServiceRole[]): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: 'sluice-roles', connectionTimeoutMillis: 30_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await untilAlone(() => inOneTransaction(client, async () => {
      const granted: string[] = [];
      for (const role of roles) if (await prepareRole(client, role)) granted.push(await grant(client, role));
      return granted;
    }));
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function inOneTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', ['sluice service roles']);
    const done = await work();
    await client.query('COMMIT');
    return done;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Roles belong to the server: another database's transaction may make or change the same one at the same time. */
async function untilAlone<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const collided = code === '23505' || code === '42710' || message.includes('concurrently updated');
      if (!collided || left === 0) throw error;
    }
  }
}

/** @returns whether the role is there */
async function prepareRole(client: Client, { service, password }: ServiceRole): Promise<boolean> {
  const name = roleOf(service);
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (password === null) return rowCount === 1;
  const rights = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${escapeLiteral(scramSecret(password))}`;
  await client.query(`${rowCount === 1 ? 'ALTER' : 'CREATE'} ROLE ${escapeIdentifier(name)} ${rights}`);
  return true;
}

async function grant(client: Client, { service, holds }: ServiceRole): Promise<string> {
  const name = roleOf(service);
  const role = escapeIdentifier(name);
  const { rows } = await client.query<{ table: string }>(
    `SELECT relname AS "table" FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
  );
  const functions = holds.flatMap((group) => (tableGroups[group] as TableGroup).functions ?? []);
  const statements = [
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`,
    ...rows.map(({ table }) => ({ table, may: privilegesOn(table, holds) })).filter(({ may }) => may.length > 0)
      .map(({ table, may }) => `GRANT ${may.join(', ')} ON public.${escapeIdentifier(table)} TO ${role}`),
    ...functions.map((each) => `GRANT EXECUTE ON FUNCTION public.${each} TO ${role}`),
  ];
  await client.query(statements.join(';\n'));
  return name;
}
