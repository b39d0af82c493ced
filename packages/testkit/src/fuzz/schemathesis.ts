import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pipInstall } from '../servers/pip-install';
import { cachedFolder } from '../servers/repo';
import { operationsOf } from './operations';

const run = promisify(execFile);

/**
 * By default each operation gets its examples and six random requests. `SLUICE_SCHEMATHESIS` adds the boundary values of every
 * field (minutes on a busy machine) and random requests for that number of seconds.
 */
const seconds = Number(process.env['SLUICE_SCHEMATHESIS'] ?? 0);
const effort = seconds > 0
  ? ['--phases', 'examples,coverage,fuzzing', '--max-time', String(seconds)]
  : ['--phases', 'examples,fuzzing', '--max-examples', '6'];

/** Pinned: another version sends other requests. */
const version = '4.32.5';
const checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';
/** Of one run; long enough for a machine with other work. */
const [installMs, runMs] = [360_000, 480_000 + seconds * 1_000];

/** Time for a test of one run: installing, and the run at its longest. */
export const schemathesisTimeoutMs = installMs + runMs + 30_000;

export interface SchemathesisTarget {
  baseUrl: string;
  /** An OpenAPI document. */
  document: object;
  /** Who calls. */
  headers: Readonly<Record<string, string>>;
  /** Ids of things that exist, by the name of the path parameter: they are sent beside made-up ones. */
  known?: Readonly<Record<string, string>>;
}

/**
 * Sends what schemathesis derives from the document, and returns its report of server errors and undocumented answers, empty when
 * there is none. If it cannot run, it prints one line and reports nothing; in CI a registry that cannot be reached is an error.
 */
export async function schemathesisFindings(target: SchemathesisTarget): Promise<string> {
  const found = await findSchemathesis();
  if (typeof found === 'string') {
    if (process.env['CI'] && !found.includes('no python3')) throw new Error(found);
    process.stdout.write(`schemathesis is left out: ${found}\n`);
    return '';
  }
  const { ok, report } = await runSchemathesis(found.folder, target);
  if (process.env['SLUICE_SCHEMATHESIS_REPORT']) process.stdout.write(report);
  const operations = operationsOf(target.document).filter(({ endless }) => !endless).length;
  const all = new RegExp(`^ *Tested: ${operations}$`, 'm').test(report);
  return ok && all ? '' : report;
}

/**
 * Where schemathesis is installed, after installing it from the registry of Python below `.cache`. A text: why it cannot be.
 */
async function findSchemathesis(): Promise<{ folder: string } | string> {
  try {
    await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
  } catch {
    return 'there is no python3 from 3.10 on';
  }
  try {
    const install = (folder: string): Promise<unknown> =>
      run('python3', [...pipInstall, '--target', folder, `schemathesis==${version}`], { timeout: installMs });
    return { folder: await cachedFolder(`schemathesis-${version}`, async (folder) => void (await install(folder))) };
  } catch (error) {
    return `schemathesis cannot be installed: ${(error as Error).message.slice(0, 500)}`;
  }
}

/** Runs schemathesis with a fixed seed; its report, and whether every answer was one that the document names. */
async function runSchemathesis(folder: string, target: SchemathesisTarget): Promise<{ ok: boolean; report: string }> {
  const work = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  try {
    await writeFile(join(work, 'openapi.json'), JSON.stringify(withExamples(target.document, target.known ?? {})));
    const args = [
      '-s', '-c', 'from schemathesis.cli import schemathesis; schemathesis()', 'run', 'openapi.json', '--url', target.baseUrl,
      '--checks', checks, '--seed', process.env['SLUICE_FUZZ_SEED'] ?? '1', '--generation-database', 'none',
      ...effort, '--warnings', 'off', '--suppress-health-check', 'all', '--no-color',
      ...operationsOf(target.document).filter(({ endless }) => endless).flatMap(({ operationId }) => [
        '--exclude-operation-id', operationId,
      ]),
      ...Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
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

interface WithParameters {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
}

/** The document with what exists as the examples of its path parameters. */
function withExamples(document: object, known: Readonly<Record<string, string>>): object {
  const copy = structuredClone(document) as WithParameters;
  const parameters = Object.values(copy.paths)
    .flatMap((path) => Object.values(path))
    .flatMap((operation) => operation.parameters ?? []);
  for (const parameter of parameters) {
    if (parameter.in === 'path' && known[parameter.name] !== undefined)
      Object.assign(parameter, { example: known[parameter.name] });
  }
  return copy;
}
