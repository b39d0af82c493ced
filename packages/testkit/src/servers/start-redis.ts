import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { keep } from './keep';
import { copyWithDependencies } from './maven';
import { cachedFolder } from './repo';
import { type ServerControls, serverControls } from './server-controls';
import { ServerUnavailable } from './server-unavailable';
import { unzipEntry } from './unzip-entry';

/** A Redis of its own, on a free port of 127.0.0.1. It keeps nothing over a restart. */
export interface TestRedis extends ServerControls {
  readonly url: string;
  readonly port: number;
}

const artifact = 'com.github.codemonstur:embedded-redis:1.4.3';

/**
 * Makes the server binary ready (fetched once per machine).
 * @returns its path
 * @throws ServerUnavailable when neither Maven nor an installed redis-server gives one
 */
async function prepareRedis(): Promise<string> {
  const installed = onPath('redis-server');
  try {
    return join(await cachedFolder('redis/6.2.6', extractBinary), 'redis-server');
  } catch (error) {
    if (installed && error instanceof ServerUnavailable) return installed;
    throw error;
  }
}

/** Starts a real Redis in well under a second. Ended by `stop`, or with the process that started it. */
export async function startRedis(): Promise<TestRedis> {
  const binary = await prepareRedis();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'));
  const port = await freePort();
  const launch = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    const plan = { command: binary, args, env: process.env, cwd: folder, log: join(folder, 'log'), folder };
    const started = await keep({ ...plan, stopSignal: 'SIGTERM', keepSignal: 'SIGTERM' });
    await eventually(() => answersPing(port), { everyMs: 20, timeoutMs: 60_000 });
    return started;
  };
  return { ...serverControls(await launch(), folder, launch), url: `redis://127.0.0.1:${port}`, port };
}

async function extractBinary(folder: string): Promise<void> {
  await copyWithDependencies('Redis', artifact, folder);
  const jar = readdirSync(join(folder, 'libs')).find((name) => name.startsWith('embedded-redis-'));
  const suffix = `-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const isServer = (path: string): boolean => /redis-server-[\d.]+/.test(path) && path.endsWith(suffix);
  const binary = jar && unzipped(join(folder, 'libs', jar), isServer);
  if (!binary) throw new ServerUnavailable('Redis', `no binary for ${suffix.slice(1)} in ${artifact}`);
  writeFileSync(join(folder, 'redis-server'), binary, { mode: 0o755 });
  rmSync(join(folder, 'libs'), { recursive: true });
}

function unzipped(jar: string, wanted: (path: string) => boolean): Buffer | undefined {
  return unzipEntry(readFileSync(jar), wanted);
}

function onPath(command: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

function answersPing(port: number): Promise<true> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1_000, () => socket.destroy(new Error('Redis does not answer')));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      socket.destroy();
      if (chunk.toString().startsWith('+PONG')) resolve(true);
      else reject(new Error(chunk.toString()));
    });
  });
}
