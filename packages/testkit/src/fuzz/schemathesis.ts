import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from '../servers/repo';

const run = promisify(execFile);

/** Pinned: another version sends other requests. */
const version = '4.32.5';
const checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';
/** Of one run; long enough for a machine with other work. */
const [installMs, runMs] = [180_000, 240_000];

export interface SchemathesisTarget {
  baseUrl: string;
  /** An OpenAPI document. */
  document: object;
  /** Who calls. */
  headers: Readonly<Record<string, string>>;
  /** Seconds for which it sends requests. */
  seconds: number;
  /** Operations that would end the run, by id, such as the one that ends the session. */
  exclude?: readonly string[];
}

/**
 * Where schemathesis is installed, after installing it from the registry of Python below `.cache`. A text: why it cannot be.
 */
export async function findSchemathesis(): Promise<{ folder: string } | string> {
  try {
    await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
  } catch {
    return 'there is no python3 from 3.10 on';
  }
  try {
    const install = (folder: string): Promise<unknown> =>
      run('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, `schemathesis==${version}`], { timeout: installMs });
    return { folder: await cachedFolder(`schemathesis-${version}`, async (folder) => void (await install(folder))) };
  } catch (error) {
    return `schemathesis cannot be installed: ${(error as Error).message.slice(0, 500)}`;
  }
}

/** Runs schemathesis with a fixed seed; its report, and whether every answer was one that the document names. */
export async function runSchemathesis(folder: string, target: SchemathesisTarget): Promise<{ ok: boolean; report: string }> {
  const work = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  try {
    await writeFile(join(work, 'openapi.json'), JSON.stringify(target.document));
    const args = [
      '-s', '-c', 'from schemathesis.cli import schemathesis; schemathesis()', 'run', 'openapi.json', '--url', target.baseUrl,
      '--checks', checks, '--seed', '1', '--generation-database', 'none', '--phases', 'examples,coverage,fuzzing',
      '--max-time', String(target.seconds), '--warnings', 'off', '--suppress-health-check', 'all', '--no-color',
      ...Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(target.exclude ?? []).flatMap((id) => ['--exclude-operation-id', id]),
    ];
    const env = { PATH: process.env['PATH'], HOME: work, PYTHONPATH: folder };
    const options = { cwd: work, env, timeout: runMs, maxBuffer: 64 * 1_024 * 1_024 };
    return await run('python3', args, options).then(
      ({ stdout }) => ({ ok: true, report: stdout }),
      (error: Error & { stdout?: string; stderr?: string }) =>
        ({ ok: false, report: `${error.stdout ?? ''}${error.stderr ?? ''}` || error.message }),
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
