/** A guest that has left QuickJS: it raises the walls as the product does, then tries everything, and reports what succeeded. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import koffi from 'koffi';
import type { ChildOptions } from '../sandbox/child-options';
import { raiseWalls } from '../sandbox/os-walls';
import { encodeFrame } from '../wire/frames';

const options = JSON.parse(process.argv.at(-1)!) as ChildOptions;
const service = process.ppid;
const socket = new Socket({ fd: 3, readable: true, writable: true });
socket.on('data', () => undefined);
const libc = koffi.load(null);
const ptrace = libc.func('long ptrace(long, int, void *, void *)');
const kill = libc.func('int kill(int, int)');
const fork = libc.func('int fork()');

const attempts: Record<string, () => unknown> = {
  'reads a file': () => readFileSync('/etc/passwd'),
  'reads the environment of the service': () => readFileSync(`/proc/${service}/environ`),
  'reads the memory of the service': () => readFileSync(`/proc/${service}/mem`),
  'lists the processes': () => readdirSync('/proc'),
  'reads the code of the product': () => readFileSync(__filename),
  'writes a file': () => writeFileSync(`${tmpdir()}/escaped-${process.pid}`, 'x'),
  'starts a program': () => execFileSync('/bin/true'),
  'starts a shell': () => {
    const { error } = spawnSync('sh', ['-c', 'true']);
    if (error) throw error;
  },
  'makes a copy of itself': () => refused(fork() as number),
  'ends the service': () => refused(kill(service, 0) as number),
  'attaches to the service': () => refused(Number(ptrace(16, service, null, null))),
  'becomes root': () => process.setuid?.(0),
};

function refused(code: number): void {
  if (code < 0) throw new Error('refused');
}

function connected(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const socket = connect(80, '127.0.0.1');
      socket.on('error', ({ message }) => resolve(!/EPERM|EMFILE|EACCES/.test(message)));
      socket.on('connect', () => resolve(true));
    } catch {
      resolve(false);
    }
  });
}

async function main(): Promise<void> {
  // Loaded while files can be read.
  await connected();
  const before = Object.keys(process.env);
  const { walls, missing } = raiseWalls(options);
  const done = Object.entries(attempts).flatMap(([name, attempt]) => {
    try {
      attempt();
      return [name];
    } catch {
      return [];
    }
  });
  if (await connected()) done.push('opens a connection');
  const environment = before.map((name) => `environment: ${name}`);
  socket.write(Buffer.concat(encodeFrame({ t: 'ready', walls, missing: [...missing, ...environment, ...done] })));
}

void main();
