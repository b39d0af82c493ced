/** One bootstrap at a time: two commands started together must not install or compile over each other. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StepError } from './steps.mjs';
import { root } from './workspace.mjs';

const path = join(root, '.cache', 'bootstrap.lock');
const waitMs = 10 * 60_000;

/** Runs the work while holding the lock; waits for another live process, takes over from a dead one. */
export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const deadline = Date.now() + waitMs;
  while (!tryLock()) {
    if (!isAlive(owner())) rmSync(path, { force: true });
    else if (Date.now() > deadline) throw new StepError(`Another command has held ${path} for too long.`);
    else await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock() {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function owner() {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

function isAlive(pid) {
  // An empty file is a lock being written this very moment: treat it as alive, the next look tells.
  if (!pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
