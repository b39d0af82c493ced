/**
 * Keeps one process alive for exactly as long as its parent wants it: no orphan survives a killed test run.
 * argv[2] is JSON: { command, args, env, cwd, log, stopSignal, keepSignal, folder }. Prints the process's id.
 */
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { untilParentLeaves } from './until-parent-leaves.mjs';

const graceMs = 20_000;
const plan = JSON.parse(process.argv[2]);
const log = openSync(plan.log, 'a');
const child = spawn(plan.command, plan.args, { cwd: plan.cwd, env: plan.env, stdio: ['ignore', log, log] });
let removeFolder = false;

child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  if (removeFolder && plan.folder) rmSync(plan.folder, { recursive: true, force: true });
  process.stdout.write(`ended ${code ?? signal}\n`, () => process.exit(0));
});
untilParentLeaves((keep) => {
  removeFolder = !keep;
  child.kill(keep ? plan.keepSignal : plan.stopSignal);
  setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
});
if (child.pid) process.stdout.write(`started ${child.pid}\n`);
