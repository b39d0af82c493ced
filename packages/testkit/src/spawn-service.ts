import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { keep, tailOf } from './servers/keep';
import { repoRoot } from './servers/repo';
import { builtServices } from './shared-servers';

/** A service in a process of its own. */
export interface SpawnedService {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** All it has printed. */
  output(): string;
  /** The last lines it has printed. */
  tail(lines?: number): string;
  /** Resolves when it has ended, with its exit code or signal name. */
  readonly ended: Promise<string>;
  /** SIGTERM, and the exit code. It gets 20 s, as everywhere. */
  stop(): Promise<string>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** How to start it. */
export interface SpawnOptions {
  /** How long it may take to be ready; default 240 s: two cores that run all tests are slow. */
  readyTimeoutMs?: number;
  /** Path that answers 200 when it is ready; default /readyz. */
  readyPath?: string;
  /** The services are already compiled: set outside of jest. */
  built?: boolean;
  /** Root of a compiled copy of the tree, whose service is run instead. */
  root?: string;
}

/**
 * Runs `services/<name>/dist/main.js` with `env` over this process's environment, `SLUICE_PORT` a free port unless given,
 * and waits until it is ready. It ends with this test process, whatever happens to that.
 * @throws with the output's tail when it ends or is not ready in time
 */
export async function spawnService(
  name: string,
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<SpawnedService> {
  const { root = repoRoot() } = options;
  if (options.built !== true && options.root === undefined) await builtServices();
  const folder = mkdtempSync(join(tmpdir(), `sluice-${name}-`));
  const log = join(folder, 'output');
  const port = env.SLUICE_PORT ? Number(env.SLUICE_PORT) : await freePort();
  const kept = await keep({
    command: process.execPath,
    args: ['--enable-source-maps', join(root, 'services', name, 'dist', 'main.js')],
    env: { ...process.env, SLUICE_PORT: String(port), ...env },
    cwd: root,
    log,
    stopSignal: 'SIGTERM',
    keepSignal: 'SIGTERM',
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady(name, kept.ended, `${url}${options.readyPath ?? '/readyz'}`, log, options.readyTimeoutMs ?? 240_000);
  } catch (error) {
    await kept.kill();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  // What it printed outlives it in memory, the file does not.
  let last: string | undefined;
  const ended = kept.ended.then((code) => {
    last = readFileSync(log, 'utf8');
    rmSync(folder, { recursive: true, force: true });
    return code;
  });
  const output = (): string => last ?? readFileSync(log, 'utf8');
  return {
    url,
    port,
    pid: kept.pid,
    ended,
    output,
    tail: (lines = 40) => output().split('\n').slice(-lines).join('\n'),
    stop: async () => {
      await kept.stop();
      return ended;
    },
    kill: async () => {
      await kept.kill();
      await ended;
    },
  };
}

async function untilReady(name: string, ended: Promise<string>, url: string, log: string, timeoutMs: number): Promise<void> {
  let code: string | undefined;
  void ended.then((value) => (code = value));
  const look = async (): Promise<boolean> => code !== undefined || (await fetch(url, { signal: AbortSignal.timeout(10_000) })).ok;
  await eventually(look, { timeoutMs }).catch((error: Error) => {
    throw new Error(`${name} was not ready in ${timeoutMs} ms: ${error.message}\n${tailOf(log)}`);
  });
  if (code !== undefined) throw new Error(`${name} ended with ${code} while starting\n${tailOf(log)}`);
}
