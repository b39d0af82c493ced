import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { boundForeignLog } from '../folder/bounded-log';

/** A process that keeps an embedded part alive as long as this process lives. */
export interface Keeper {
  /** Resolves when it has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Asks it to end cleanly and waits. */
  stop(): Promise<void>;
}

/** How often the size of a keeper's log is looked at. */
const logCheckMs = 60_000;

/**
 * Starts a keeper script and waits for its word that the part is up. It ends when we close its stdin, on purpose or by
 * dying in whatever way. It leads a process group of its own: neither Ctrl-C at a terminal nor a signal to our whole
 * group reaches the part before we have drained.
 * @param plan given to the script on stdin, because it may hold secrets
 * @throws with the script's own words when the part does not start
 */
export async function startKeeper(script: string, plan: object, log: string): Promise<Keeper> {
  await boundForeignLog(log);
  const errors = openSync(log, 'a', 0o600);
  const child = spawn(process.execPath, [script], { detached: true, stdio: ['pipe', 'pipe', errors] });
  closeSync(errors);
  const bounding = setInterval(() => void boundForeignLog(log).catch(() => undefined), logCheckMs).unref();
  const ended = once(child, 'close').then(() => clearInterval(bounding));
  // A keeper that dies early closes the pipe before it has read everything; `ready` reports that better.
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
