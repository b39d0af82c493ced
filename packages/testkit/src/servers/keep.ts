import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process that ends on request, and also when the test process that started it has ended. */
export interface Kept {
  /** The kept process's own id (not the keeper's). */
  readonly pid: number;
  /** Resolves when the process has ended, with its exit code or signal name. */
  readonly ended: Promise<string>;
  /** Ends it. `keep`: gently, leaving its data folder for a restart. Does nothing when it already ended. */
  stop(options?: { keep?: boolean }): Promise<void>;
  /** SIGKILL, as a crash would; resolves when it is gone. */
  kill(): Promise<void>;
}

/** What the plain keeper runs. */
export interface KeepPlan {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** File that stdout and stderr are appended to. */
  log: string;
  stopSignal: NodeJS.Signals;
  /** Signal of a stop that keeps the data. */
  keepSignal: NodeJS.Signals;
  /** Removed after a stop that does not keep the data. */
  folder?: string;
}

/** Starts a process under the plain keeper. Resolves once it is spawned; the caller must wait until it is ready. */
export function keep(plan: KeepPlan): Promise<Kept> {
  return startKeeper('keeper.mjs', plan, plan.log);
}

/** Starts a keeper script. Rejects with the log's tail when the kept process could not be started. */
export function startKeeper(script: string, plan: object, log: string): Promise<Kept> {
  const keeper = spawn(process.execPath, [join(__dirname, script), JSON.stringify(plan)], { stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    keeper.stdin.on('error', () => undefined); // EPIPE: the keeper ended first, which `ended` reports.
    keeper.stderr.on('data', (chunk) => (errors += chunk));
    const ended = new Promise<string>((done) => {
      keeper.on('close', () => done(/ended (\S+)/.exec(output)?.[1] ?? 'lost'));
    });
    keeper.stdout.on('data', (chunk) => {
      output += chunk;
      const pid = /started (\d+)/.exec(output)?.[1];
      if (pid) resolve(handle(keeper, Number(pid), ended));
    });
    void ended.then(() => reject(new Error(`${script}: ${errors.trim()}\n${tailOf(log)}`)));
  });
}

function handle(keeper: ChildProcess, pid: number, ended: Promise<string>): Kept {
  // A forgotten server must not hold the test process open; losing the pipe ends the server anyway.
  keeper.unref();
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) (stream as unknown as { unref(): void }).unref();
  return {
    pid,
    ended,
    stop: async (options) => {
      if (keeper.exitCode === null) keeper.stdin?.end(options?.keep ? 'keep\n' : '');
      await held(ended);
    },
    kill: async () => {
      if (keeper.exitCode === null) process.kill(pid, 'SIGKILL');
      await held(ended);
    },
  };
}

/** Waits with a timer running, because the keeper's own handles do not keep the event loop alive. */
async function held(ended: Promise<string>): Promise<void> {
  const alive = setInterval(() => undefined, 1_000);
  await ended;
  clearInterval(alive);
}

/** The last lines of a log file, for error messages. */
export function tailOf(log: string, lines = 40): string {
  if (!existsSync(log)) return '';
  return readFileSync(log, 'utf8').split('\n').slice(-lines).join('\n');
}
