import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { keep } from './keep';
import { fillFolder, repoRoot } from './repo';
import { type ServerControls, serverControls } from './server-controls';
import { pipInstall } from './pip-install';
import { ServerUnavailable } from './server-unavailable';

/**
 * A server of a test's own with the APIs of S3, IAM and the control calls of Lambda, on a free port of 127.0.0.1. It takes any
 * key and forgets all over a restart.
 */
export interface TestAws extends ServerControls {
  readonly url: string;
  readonly port: number;
  makeBucket(name: string): Promise<void>;
  putObject(bucket: string, key: string, body: string | Buffer): Promise<void>;
  deleteObject(bucket: string, key: string): Promise<void>;
  /** @returns the ARN of a new role */
  makeRole(name: string): Promise<string>;
}

/** Pinned: moto is the AWS of many projects' tests, in Python. The rest is what its server mode needs for these APIs. */
const wheels = ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];
/** Of one try; several workers may install at once. */
const installMs = 360_000;
export const noPython = 'there is no python3 from 3.10 on';

/**
 * Installs the server below `.cache` (once per machine). Synchronous: whether tests are skipped is decided while they are
 * declared.
 * @returns its folder
 * @throws ServerUnavailable when there is no Python, or its registry cannot be reached
 */
export function prepareAws(): string {
  const folder = join(repoRoot(), '.cache', 'moto-5.2.5');
  if (existsSync(folder)) return folder;
  const python = (args: string[]): void => void execFileSync('python3', args, { timeout: installMs, stdio: 'pipe' });
  try {
    python(['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
  } catch {
    throw new ServerUnavailable('AWS stand-in', noPython);
  }
  try {
    fillFolder(folder, (draft) => python([...pipInstall, '--target', draft, ...wheels]));
  } catch (error) {
    throw new ServerUnavailable('AWS stand-in', `${wheels[0]} cannot be installed: ${(error as Error).message.slice(0, 500)}`);
  }
  return folder;
}

/** Starts the server, which takes some seconds. Ended by `stop`, or with the process that started it. */
export async function startAws(): Promise<TestAws> {
  const python = prepareAws();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-aws-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const launch = async () => {
    const env = { PATH: process.env.PATH, HOME: folder, PYTHONPATH: python };
    const args = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)];
    const plan = { command: 'python3', args, env, cwd: folder, log: join(folder, 'log'), folder };
    const started = await keep({ ...plan, stopSignal: 'SIGKILL', keepSignal: 'SIGKILL' });
    await eventually(() => fetch(url).then(({ ok }) => ok || Promise.reject(new Error('not ready'))), { timeoutMs: 120_000 });
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
    putObject: (bucket, key, body) => object(url, 'PUT', `${bucket}/${key}`, body),
    deleteObject: (bucket, key) => object(url, 'DELETE', `${bucket}/${key}`),
    makeRole: (name) => makeRole(url, name),
  };
}

/** The server finds the API that is meant, and the owner of objects, in the scope of the signature, which it does not check. */
const signedFor = (api: 'iam' | 's3'): { authorization: string } => ({
  authorization: `AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/${api}/aws4_request, SignedHeaders=host, Signature=0`,
});

async function object(url: string, method: 'PUT' | 'DELETE', path: string, body?: string | Buffer): Promise<void> {
  const { ok, status } = await fetch(encodeURI(`${url}/${path}`),
    { method, headers: signedFor('s3'), ...(body !== undefined && { body }) });
  if (!ok) throw new Error(`${method} ${path}: ${status}`);
}

async function makeRole(url: string, name: string): Promise<string> {
  const input = { Action: 'CreateRole', Version: '2010-05-08', RoleName: name, AssumeRolePolicyDocument: '{}' };
  const response = await fetch(url, { method: 'POST', headers: signedFor('iam'), body: new URLSearchParams(input) });
  const arn = /<Arn>([^<]+)<\/Arn>/.exec(await response.text())?.[1];
  if (arn === undefined) throw new Error(`role ${name}: ${response.status}`);
  return arn;
}
