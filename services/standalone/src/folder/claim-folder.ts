import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Thrown when another process works on the folder. */
export class FolderTaken extends Error {
  override name = 'FolderTaken';
}

/** Longest wait for the process id of a folder's owner. */
const answerMs = 2_000;

/**
 * Claims a data folder for this process until it ends in any way, because two processes would corrupt it. The claim is a local
 * socket, not a file with a process id, which a dead process would leave behind and whose id another process may get.
 * @returns releases the folder
 * @throws FolderTaken that names the other process
 */
export async function claimFolder(root: string): Promise<() => Promise<void>> {
  const path = socketPath(root);
  const server = createServer((socket) => {
    // The client may be gone before the answer.
    socket.on('error', () => undefined);
    socket.end(String(process.pid));
  });
  if (!(await listens(server, path))) {
    const holder = await askHolder(path);
    if (holder !== undefined) throw new FolderTaken(`Another Sluice runs on ${root}: process ${holder}. Stop it first (kill ${holder}), or set SLUICE_DATA_DIR to another folder.`);
    rmSync(path, { force: true });
    if (!(await listens(server, path))) throw new FolderTaken(`Another Sluice is just starting on ${root}.`);
  }
  server.unref();
  return () => new Promise((resolve) => void server.close(() => resolve()));
}

/** On Linux an abstract socket, which vanishes with its process; elsewhere a file, which may stay behind. */
function socketPath(root: string): string {
  const name = `sluice-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error));
    server.once('error', failed);
    server.listen(path, () => resolve(void server.off('error', failed) === undefined));
  });
}

/** The process id of the owner; undefined when there is none. */
function askHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(path);
    socket.setTimeout(answerMs, () => {
      socket.destroy();
      resolve('of unknown id');
    });
    socket.on('data', (data) => (said += data.toString()));
    socket.on('end', () => resolve(said || 'of unknown id'));
    socket.on('error', () => resolve(undefined));
  });
}
