/** Ends a Postgres that outlived its keeper (both were killed, or the machine lost only one of them). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const graceMs = 10_000;
const crashMs = 30_000;

/**
 * When a server still runs on this folder, ends it: in order if it can be done in time, else as in a crash, after which
 * the next start recovers. A pid file whose process is gone or is no Postgres is left to Postgres, which replaces it.
 * @param {string} folder the server's data folder
 */
export async function endOrphanedPostgres(folder) {
  const pid = orphanPid(folder);
  if (pid === undefined) return;
  for (const [signal, waitMs] of [['SIGINT', graceMs], ['SIGQUIT', crashMs]]) {
    tell(pid, signal);
    if (await gone(folder, pid, waitMs)) return;
  }
  throw new Error(`a Postgres of an earlier run (process ${pid}) does not end; end it by hand`);
}

function orphanPid(folder) {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  return Number.isInteger(pid) && pid > 1 && isPostgres(pid) ? pid : undefined;
}

/** Process ids are used again: by now it may be anybody's. */
function isPostgres(pid) {
  try {
    return /postgres/.test(execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    // ps answers with an error when there is no such process.
    return false;
  }
}

function tell(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function gone(folder, pid, waitMs) {
  const deadline = performance.now() + waitMs;
  while (performance.now() < deadline) {
    if (!existsSync(join(folder, 'postmaster.pid')) && !isPostgres(pid)) return true;
    await sleep(50);
  }
  return false;
}
