import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { fromBufferPromise } from 'yauzl';

/** How an invocation ended. `printed`: what it wrote to its output. */
export interface StubOutcome {
  error: boolean;
  /** JSON. */
  result: string;
  printed: string;
}

interface Code {
  folder: string;
  sha256: string;
  /** null: not started. */
  environment: Environment | null;
}

interface Version {
  code: Code;
  description: string;
}

/** Versions that one page of a list has. */
const pageSize = 2;

/** One function of the stub: `$LATEST` and numbered versions, each with its unpacked archive. */
export class StubFunction {
  private latest: Code | null = null;
  private readonly versions: Version[] = [];
  private readonly folders: string[] = [];
  private readonly environments: Environment[] = [];
  /** Looks at the function until what was changed last is in effect. */
  private looksUntilSettled = 1;
  private created = false;

  constructor(
    readonly name: string,
    private configuration: Record<string, unknown>,
  ) {}

  isChanging(): boolean {
    return this.looksUntilSettled > 0;
  }

  isCreated(): boolean {
    return this.created;
  }

  view(qualifier: string): Record<string, unknown> | null {
    const version = qualifier === '$LATEST' ? { code: this.latest!, description: '' } : this.versions[Number(qualifier) - 1];
    if (!version) return null;
    const changing = this.looksUntilSettled > 0;
    if (changing) this.looksUntilSettled -= 1;
    const State = changing && !this.created ? 'Pending' : 'Active';
    const state = { State, LastUpdateStatus: changing ? 'InProgress' : 'Successful' };
    if (!changing) this.created = true;
    const { Role, Timeout, MemorySize, Runtime, Handler } = this.configuration;
    return {
      FunctionName: this.name, Version: qualifier, Description: version.description, CodeSha256: version.code.sha256, Role,
      Timeout,
      MemorySize, Runtime, Handler, ...state,
    };
  }

  configure(input: Record<string, unknown>): Record<string, unknown> {
    this.configuration = { ...this.configuration, ...input };
    this.looksUntilSettled = 1;
    return { FunctionName: this.name };
  }

  async replace(archive: Buffer): Promise<Record<string, unknown>> {
    const folder = await unpack(archive);
    this.folders.push(folder);
    const sha256 = createHash('sha256').update(archive).digest('base64');
    this.latest = { folder, sha256, environment: null };
    this.looksUntilSettled = 1;
    return { FunctionName: this.name, CodeSha256: sha256 };
  }

  /** As Lambda: code that the last version has gives no further one. */
  publish({ CodeSha256, Description = '' }: Record<string, unknown>): Record<string, unknown> {
    const code = this.latest!;
    if (CodeSha256 !== undefined && CodeSha256 !== code.sha256)
      return { status: 400, type: 'InvalidParameterValueException', message: 'CodeSHA256 does not match' };
    if (this.versions.at(-1)?.code.sha256 !== code.sha256) this.versions.push({ code, description: String(Description) });
    return { FunctionName: this.name, Version: String(this.versions.length) };
  }

  list(start: number): Record<string, unknown> {
    const all = ['$LATEST', ...this.versions.map((_, place) => String(place + 1))];
    const next = start + pageSize;
    const page = all.slice(start, next).map((version) => {
      const { description = '' } = this.versions[Number(version) - 1] ?? {};
      return { FunctionName: this.name, Version: version, Description: description };
    });
    return { Versions: page, ...(next < all.length && { NextMarker: String(next) }) };
  }

  invoke(qualifier: string, event: string): Promise<StubOutcome> {
    const code = qualifier === '$LATEST' ? this.latest! : this.versions[Number(qualifier) - 1]!.code;
    if (code.environment === null) {
      code.environment = new Environment(join(code.folder, 'index.js'));
      this.environments.push(code.environment);
    }
    return code.environment.invoke(event, Number(this.configuration['Timeout']) * 1_000, () => {
      code.environment = null;
    });
  }

  async end(): Promise<void> {
    await Promise.all(this.environments.map((environment) => environment.end()));
    await Promise.all(this.folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

/** What Lambda's own runtime does: it loads the module once and hands it one event after the other. */
const runtime = `
const { parentPort, workerData } = require('node:worker_threads');
const { handler } = require(workerData);
parentPort.on('message', async (event) => {
  let printed = '';
  process.stdout.write = (text) => { printed += text; return true; };
  try {
    const result = JSON.stringify(await handler(JSON.parse(event), {}));
    parentPort.postMessage({ error: false, result, printed });
  } catch (error) {
    parentPort.postMessage({ error: true, result: JSON.stringify({ errorType: error.name, errorMessage: error.message }),
      printed });
  }
});`;

/** One process of a function, here a thread: it has one invocation at a time. */
class Environment {
  private readonly worker: Worker;
  private last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.worker = new Worker(runtime, { eval: true, workerData: file, stdout: true });
    this.worker.on('error', () => undefined);
  }

  /** @param gone called when the time was over, which ends the process */
  invoke(event: string, timeoutMs: number, gone: () => void): Promise<StubOutcome> {
    const answer = this.last.then(() => this.run(event, timeoutMs, gone));
    this.last = answer;
    return answer;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private run(event: string, timeoutMs: number, gone: () => void): Promise<StubOutcome> {
    return new Promise((resolve) => {
      const ended = (outcome: StubOutcome): void => {
        clearTimeout(timer);
        this.worker.removeAllListeners('message').removeAllListeners('exit');
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        gone();
        ended(failure('Sandbox.Timedout', `Error: Task timed out after ${timeoutMs / 1_000} seconds`));
        void this.worker.terminate();
      }, timeoutMs);
      this.worker.on('message', ended);
      this.worker.on('exit', () => {
        gone();
        ended(failure('Runtime.ExitError', 'Error: Runtime exited with error: exit status 1'));
      });
      this.worker.postMessage(event);
    });
  }
}

const failure = (errorType: string, errorMessage: string): StubOutcome =>
  ({ error: true, result: JSON.stringify({ errorType, errorMessage }), printed: '' });

async function unpack(archive: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-lambda-'));
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry));
    await writeFile(join(folder, basename(entry.fileName)), content);
  }
  return folder;
}
