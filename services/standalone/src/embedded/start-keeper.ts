import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, renameSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A process of our own that keeps an embedded part alive for as long as we live. */
export interface Keeper {
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Asks it to end in order and waits. */
  stop(): Promise<void>;
}

/** A log file beyond this is put aside, once. */
const maxLogBytes = 10 * 1024 * 1024;

/**
 * Starts a keeper script and waits for its word that the part is up. It ends when we close its stdin, on purpose or by
 * dying in whatever way. It leads a process group of its own: neither Ctrl-C at a terminal nor a signal to our whole
 * group reaches the part before we have drained.
 * @param plan given to the script on stdin, because it may hold secrets
 * @throws with the script's own words when the part does not start
 */
export async function startKeeper(script: string, plan: object, log: string): Promise<Keeper> {
  rotate(log);
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'pipe', openSync(log, 'a')] });
  const ended = once(child, 'close').then(() => undefined);
  // A keeper that dies early closes the pipe before it has read everything; `ready` tells that better.
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(`${JSON.stringify(plan)}\n`);
  await ready(child, ended, log);
  return {
    ended,
    stop: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}

async function ready(child: ChildProcess, ended: Promise<void>, log: string): Promise<void> {
  const lines = createInterface({ input: child.stdout! });
  const word = new Promise<string>((resolve) => lines.once('line', resolve));
  const said = await Promise.race([word, ended.then(() => '')]);
  if (said !== 'ready') throw new Error(`${said || 'it ended at once'} (its log: ${log})`);
}

function rotate(log: string): void {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(log, `${log}.1`);
}
