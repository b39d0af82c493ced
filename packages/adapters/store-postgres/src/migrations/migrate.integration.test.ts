import { testDatabase, type TestDatabase } from '@sluice/testkit';
import { Client } from 'pg';
import { migrate } from './migrate';
import { migrationFiles } from './migration-files';

describe('migrate', () => {
  let database: TestDatabase;
  let client: Client;
  beforeEach(async () => {
    database = await testDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });
  const names = async (): Promise<string[]> => (await migrationFiles()).map(({ name }) => name);

  it('applies every migration once, however many start together', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
    expect(applied.flat().sort()).toEqual(await names());
    expect(await migrate(database.url)).toEqual([]);
  });

  it('runs again what a crash left unfinished', async () => {
    const [first] = await migrationFiles();
    await migrate(database.url);
    // As if the process had died after the engine's mark and before the script: nothing of it is there.
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.query(
      `CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
       logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`,
    );
    await client.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', $1, $2)`, [
      first!.checksum,
      first!.name,
    ]);
    expect(await migrate(database.url)).toEqual(await names());
  });

  it('marks a script in the transaction of the script', async () => {
    await migrate(database.url);
    const { rows } = await client.query('SELECT count(*)::int AS unmarked FROM _prisma_migrations WHERE applied_steps_count < 1');
    expect(rows[0].unmarked).toBe(0);
  });

  it('refuses a migration that was edited after it had been applied', async () => {
    await migrate(database.url);
    await client.query(`UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = '0001_run'`);
    await expect(migrate(database.url)).rejects.toThrow('0001_run was changed');
  });

  it('leaves a database alone that a newer build migrated', async () => {
    await migrate(database.url);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('9', 'x', '9999_later', now())`,
    );
    expect(await migrate(database.url)).toEqual([]);
  });

  it('says StoreUnavailable when there is no server', async () => {
    await expect(migrate('postgresql://postgres@127.0.0.1:1/nowhere')).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });
});
