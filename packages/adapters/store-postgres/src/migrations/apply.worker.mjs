/**
 * Applies migrations with Prisma's schema engine. A worker of its own: the engine is WebAssembly that only an ES
 * module can load, weighs 5 MB, and is needed for a second at most.
 * workerData: { url, migrations: [{ name, sql }] }. Posts { applied: string[] } or { error: string }.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

const filters = { externalTables: [], externalEnums: [] };

async function loadEngine() {
  const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(path), { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
}

/** Marks the running migration as done in the transaction of its own script, so that a crash leaves all of it or nothing. */
const finished = 'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE finished_at IS NULL;';

/** The adapter splits scripts at every `;`, which breaks function bodies: the server takes the script as a whole. */
class WholeScripts extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    adapter.executeScript = (script) => adapter.client.query(`${script}\n;${finished}`).then(() => undefined, (error) => adapter.onError(error));
    return adapter;
  }
}

async function apply({ url, migrations }) {
  await loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(new WholeScripts({ connectionString: url, max: 2 }));
  const schema = { content: 'datasource db {\n  provider = "postgresql"\n}\n', path: 'schema.prisma' };
  const schemaEngine = await engine.SchemaEngine.new({ datamodels: [[schema.path, schema.content]] }, () => {}, factory);
  const migrationDirectories = migrations.map(({ name, sql }) => ({ path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } } }));
  const lockfile = { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' };
  const { appliedMigrationNames } = await schemaEngine.applyMigrations({ migrationsList: { baseDir: 'prisma/migrations', lockfile, shadowDbInitScript: '', migrationDirectories }, filters });
  return appliedMigrationNames;
}

try {
  parentPort.postMessage({ applied: await apply(workerData) });
} catch (error) {
  parentPort.postMessage({ error: error instanceof Error ? `${error.message}` : String(error) });
}
