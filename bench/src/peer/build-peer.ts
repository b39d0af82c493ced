import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const sources = join(__dirname, '..', '..', 'peer');
const buildTimeoutMs = 20 * 60_000;

/** Where the streams of the peer are described. */
export const peerStreams = { service: join(sources, 'service.yaml'), folder: join(sources, 'streams') };

/**
 * Builds the peer with Go from its published module, once for each state of `bench/peer`. The first build takes minutes.
 * @returns path of the program
 * @throws Error when Go is missing or the build fails
 */
export async function buildPeer(): Promise<string> {
  const files = readdirSync(sources).filter((name) => /\.(go|mod|sum)$/.test(name)).sort();
  const hash = createHash('sha256');
  for (const name of files) hash.update(readFileSync(join(sources, name)));
  const folder = join(__dirname, '..', '..', '..', '.cache', `bench-peer-${hash.digest('hex').slice(0, 16)}`);
  const program = join(folder, 'bento');
  if (existsSync(program)) return program;
  const draft = `${folder}-draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    for (const name of files) cpSync(join(sources, name), join(draft, name));
    console.log('  building the peer with Go ...');
    await exec('go', ['build', '-mod=readonly', '-o', 'bento', '.'], { cwd: draft, timeout: buildTimeoutMs }).catch(
      (error: NodeJS.ErrnoException & { stderr?: string }) => {
        throw new Error(error.code === 'ENOENT' ? 'The peer needs Go, which is not installed.'
          : `go build: ${error.stderr ?? error.message}`);
      },
    );
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}
