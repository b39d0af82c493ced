import { testDatabase, type TestDatabase } from '@sluice/testkit';
import { Client } from 'pg';
import { migrate, missingMigrations } from '../migrations/migrate';
import { grantServiceRoles, roleOf, type ServiceRole } from './grant-service-roles';
import { scramSecret } from './scram-secret';
import { tableGroups } from './table-groups';

const password = "a'b$c-test-role-password";
/** Roles belong to the server, which other tests use too. */
const roles: ServiceRole[] = [
  { service: 'test-keeper', password, holds: ['accounts', 'assistant', 'audit', 'billing', 'config', 'credentials', 'outbox',
    'plugins'] },
  { service: 'test-runner', password, holds: ['opened_credentials'] },
  { service: 'test-acceptor', password, holds: ['days'] },
];

describe('roles of services', () => {
  let database: TestDatabase;
  let owner: Client;
  const open: Client[] = [];
  const connected = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    open.push(client);
    return client;
  };
  const as = (service: string): Promise<Client> => {
    const url = new URL(database.url);
    [url.username, url.password] = [roleOf(service), encodeURIComponent(password)];
    return connected(url.href);
  };
  beforeAll(async () => {
    database = await testDatabase();
    await migrate(database.url);
    await grantServiceRoles(database.url, roles);
    owner = await connected(database.url);
  });
  afterAll(async () => {
    for (const { service } of roles) await owner.query(`DROP OWNED BY ${roleOf(service)}; DROP ROLE ${roleOf(service)}`);
    await Promise.all(open.map((client) => client.end()));
    await database.drop();
  });
  const allowed = async (client: Client, sql: string): Promise<boolean> => {
    try {
      await client.query('BEGIN');
      await client.query(sql);
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === '42501') return false;
      throw error;
    } finally {
      await client.query('ROLLBACK');
    }
  };

  it('sign in with their passwords, and change no schema', async () => {
    const runner = await as('test-runner');
    expect(await allowed(runner, 'CREATE TABLE other (id int)')).toBe(false);
    expect(await allowed(runner, 'ALTER TABLE held_events ADD COLUMN x int')).toBe(false);
    expect(await allowed(runner, 'DELETE FROM _prisma_migrations')).toBe(false);
    expect(await allowed(runner, 'DELETE FROM held_events')).toBe(true);
  });

  it('can see that the schema is current, and not bring it up', async () => {
    const url = new URL(database.url);
    [url.username, url.password] = [roleOf('test-acceptor'), encodeURIComponent(password)];
    expect(await missingMigrations(url.href)).toEqual([]);
  });

  it('reach only the tables of their groups', async () => {
    const [acceptor, runner, keeper] = [await as('test-acceptor'), await as('test-runner'), await as('test-keeper')];
    expect(await allowed(acceptor, 'SELECT 1 FROM credentials')).toBe(false);
    expect(await allowed(runner, 'SELECT 1 FROM credentials FOR UPDATE')).toBe(true);
    expect(await allowed(runner, 'DELETE FROM credentials')).toBe(false);
    expect(await allowed(keeper, 'DELETE FROM credentials')).toBe(true);
    for (const group of ['accounts', 'assistant', 'billing'] as const)
      for (const table of tableGroups[group].tables) expect(await allowed(runner, `SELECT 1 FROM ${table}`)).toBe(false);
    for (const table of ['crm_installs', ...tableGroups.billing.tables]) expect(await allowed(keeper,
      `DELETE FROM ${table}`)).toBe(true);
    expect(await allowed(acceptor, 'SELECT 1 FROM crm_installs')).toBe(false);
    expect([await allowed(acceptor, 'SELECT 1 FROM plugins'), await allowed(acceptor, 'DELETE FROM plugins')]).toEqual([true,
      false]);
    expect(await allowed(runner, 'SELECT 1 FROM versions')).toBe(true);
    expect(await allowed(runner, 'DELETE FROM versions')).toBe(false);
  });

  it('only add to the audit log; what is older than 30 days may be deleted', async () => {
    const keeper = await as('test-keeper');
    const entry = `INSERT INTO audit_entries (organization_id, at, actor_type, action, target_type, outcome) VALUES (gen_random_uuid(), now() - interval '%', 'operator', 'x', 'y', 'done')`;
    expect(await allowed(keeper, entry.replace('%', '1 hour'))).toBe(true);
    expect(await allowed(keeper, `UPDATE audit_entries SET action = 'y'`)).toBe(false);
    expect(await allowed(keeper, 'DELETE FROM audit_entries')).toBe(false);
    expect(await allowed(keeper, 'TRUNCATE audit_entries')).toBe(false);
    for (const age of ['1 hour', '31 days']) await owner.query(entry.replace('%', age));
    const { rows } = await keeper.query('SELECT sluice_delete_old_audit_entries(now(), 10) AS deleted');
    expect(rows).toEqual([{ deleted: 1 }]);
    expect(await allowed(await as('test-runner'), 'SELECT sluice_delete_old_audit_entries(now(), 10)')).toBe(false);
  });

  it('make and drop daily partitions without a right to change the schema, those that should', async () => {
    const addDay = `SELECT sluice_add_day('event_index', 'accepted_at', date '2031-01-01')`;
    const dropDays = `SELECT sluice_drop_days_before('event_index', 'accepted_at', date '2020-01-01')`;
    const [acceptor, runner] = [await as('test-acceptor'), await as('test-runner')];
    expect([await allowed(acceptor, addDay), await allowed(acceptor, dropDays)]).toEqual([true, true]);
    expect([await allowed(runner, addDay), await allowed(runner, dropDays)]).toEqual([false, false]);
  });

  it('a role that holds less than before loses what it had', async () => {
    const runner = await as('test-runner');
    await grantServiceRoles(database.url, [{ ...roles[1]!, holds: [] }]);
    expect(await allowed(runner, 'SELECT 1 FROM credentials')).toBe(false);
    await grantServiceRoles(database.url, [roles[1]!]);
    expect(await allowed(runner, 'SELECT 1 FROM credentials')).toBe(true);
  });

  it('no role is made without a password', async () => {
    expect(await grantServiceRoles(database.url, [{ service: 'test-nobody', password: null, holds: [] }])).toEqual([]);
  });

  it('every table of a group is there', async () => {
    const named = Object.values(tableGroups).flatMap(({ tables }) => [...tables]);
    const { rows } = await owner.query(
      `SELECT name FROM unnest($1::text[]) AS t (name) WHERE to_regclass('public.' || name) IS NULL`, [named],
    );
    expect(rows).toEqual([]);
  });

  it('every table is in a group', async () => {
    const named = Object.values(tableGroups).flatMap(({ tables }) => [...tables]);
    const { rows } = await owner.query(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> ALL ($1::text[]) ORDER BY relname`, [named],
    );
    expect(rows.map(({ name }) => name)).toEqual([]);
  });

  it('a password is sent as Postgres would store it', async () => {
    await owner.query(`CREATE ROLE sluice_test_scram PASSWORD 'pencil'`);
    const { rows } = await owner.query(`SELECT rolpassword AS stored FROM pg_authid WHERE rolname = 'sluice_test_scram'`);
    await owner.query('DROP ROLE sluice_test_scram');
    const salt = Buffer.from(/:(.*?)\$/.exec(rows[0].stored as string)![1]!, 'base64');
    expect(scramSecret('pencil', salt)).toBe(rows[0].stored);
  });
});
