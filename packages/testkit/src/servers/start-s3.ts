import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { keep } from './keep';
import { fillFolder, repoRoot } from './repo';
import { type ServerControls, serverControls } from './server-controls';
import { ServerUnavailable } from './server-unavailable';

/** An S3-compatible server of a test's own, on a free port of 127.0.0.1. It takes any key and forgets all over a restart. */
export interface TestS3 extends ServerControls {
  readonly url: string;
  readonly port: number;
  makeBucket(name: string): Promise<void>;
}

/** Pinned: moto is the S3 of many projects' tests, in Python. The rest is what its server mode needs for S3 alone. */
const wheels = ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];
const installMs = 180_000;
export const noPython = 'there is no python3 from 3.10 on';

/**
 * Installs the server below `.cache` (once per machine). Synchronous: whether tests are skipped is decided while they are
 * declared.
 * @returns its folder
 * @throws ServerUnavailable when there is no Python, or its registry cannot be reached
 */
export function prepareS3(): string {
  const folder = join(repoRoot(), '.cache', 'moto-5.2.5');
  if (existsSync(folder)) return folder;
  const python = (args: string[]): void => void execFileSync('python3', args, { timeout: installMs, stdio: 'pipe' });
  try {
    python(['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
  } catch {
    throw new ServerUnavailable('S3', noPython);
  }
  try {
    fillFolder(folder, (draft) => python(['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', draft, ...wheels]));
  } catch (error) {
    throw new ServerUnavailable('S3', `${wheels[0]} cannot be installed: ${(error as Error).message.slice(0, 500)}`);
  }
  return folder;
}

/** Starts the server, which takes some seconds. Ended by `stop`, or with the process that started it. */
export async function startS3(): Promise<TestS3> {
  const python = prepareS3();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-s3-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const launch = async () => {
    const env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: python };
    const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
    const plan = { command: 'python3', args, env, cwd: folder, log: join(folder, 'log'), folder };
    const started = await keep({ ...plan, stopSignal: 'SIGKILL', keepSignal: 'SIGKILL' });
    await eventually(() => fetch(url).then(({ ok }) => ok || Promise.reject(new Error('not ready'))), { timeoutMs: 60_000 });
    return started;
  };
  const controls = serverControls(await launch(), folder, launch);
  return {
    ...controls,
    url,
    port,
    makeBucket: async (name) => {
      const { status } = await fetch(`${url}/${name}`, { method: 'PUT' });
      if (status !== 200) throw new Error(`bucket ${name}: ${status}`);
    },
  };
}
