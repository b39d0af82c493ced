/** One bootstrap at a time: two commands started together must not install or compile over each other. */
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StepError } from './steps.mjs';
import { root } from './workspace.mjs';

const bootstrap = join(root, '.cache', 'bootstrap.lock');
const waitMs = 10 * 60_000;
/** Removing a lock takes less than a millisecond: who has been at it for this long is dead. */
const removalMs = 10_000;

/** Runs the work while holding the lock; waits for another live process, takes over from a dead one. */
export async function withLock(work, path = bootstrap) {
  mkdirSync(dirname(path), { recursive: true });
  const deadline = Date.now() + waitMs;
  while (!create(path)) {
    if (!isAlive(owner(path))) removeDead(path);
    else if (Date.now() > deadline) throw new StepError(`Another command has held ${path} for too long.`);
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** False when it exists. It never exists without the number of its owner: it is written aside and appears as a whole. */
function create(path) {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Removes the lock of a dead process. Only one process at a time may: of two that saw the same dead owner the slower one would
 * remove the lock that the faster one has taken since.
 */
function removeDead(path) {
  const removal = `${path}.removal`;
  if (!create(removal)) {
    if (ageOf(removal) > removalMs) rmSync(removal, { force: true });
    return;
  }
  try {
    if (!isAlive(owner(path))) rmSync(path, { force: true });
  } finally {
    rmSync(removal, { force: true });
  }
}

/** undefined: there is no lock. */
function owner(path) {
  return ifThere(() => Number(readFileSync(path, 'utf8')));
}

function ageOf(path) {
  return Date.now() - (ifThere(() => statSync(path).mtimeMs) ?? Date.now());
}

function ifThere(look) {
  try {
    return look();
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A lock that is gone counts as held by a live process: the next try to create it tells. */
function isAlive(pid) {
  if (pid === undefined) return true;
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
