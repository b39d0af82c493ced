import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionConfiguration, Runtime } from '@aws-sdk/client-lambda';
import { FunctionPlatformUnavailable } from '@sluice/ports';
import { type CodeArchive, codeArchive } from './code-archive';
import type { LambdaClients, LambdaWork } from './lambda-client';
import { isMissing, lambdaError, LambdaRefused } from './lambda-errors';

/** What every function is configured with. */
export interface FunctionShape {
  role: string;
  /** Seconds after which Lambda ends an invocation. */
  timeoutS: number;
  memoryMb: number;
}

export interface LambdaControlOptions {
  shape: FunctionShape;
  /** Longest call, and longest wait until a change is in effect. Milliseconds. */
  timeoutMs: number;
  /** Time between two looks at a function that is being changed. Milliseconds. */
  pollMs: number;
}

const runtime: Runtime = 'nodejs22.x';
const entry = 'index.handler';
/** Versions are found again by it. */
const descriptionOf = (operation: string): string => `sluice ${operation}`;

/**
 * Creates, changes, publishes and removes functions. Every method may be called again after it ended anywhere. Methods throw
 * FunctionPlatformUnavailable for what may succeed later, and LambdaRefused.
 */
export class LambdaControl {
  constructor(
    private readonly clients: LambdaClients,
    private readonly options: LambdaControlOptions,
  ) {}

  /** Creates a function without a plugin where there is none, and brings its configuration up to the settings. */
  async ensure(name: string): Promise<void> {
    const found = await this.configuration(name);
    if (found === null) await this.create(name);
    await this.settled(name);
    if (found !== null && !this.isUpToDate(found)) await this.configure(name);
  }

  /** Makes the archive the function's `$LATEST`. */
  async replaceCode(name: string, { bytes }: CodeArchive): Promise<void> {
    await this.settled(name);
    await this.call((sdk, client, call) =>
      client.send(new sdk.UpdateFunctionCodeCommand({ FunctionName: name, ZipFile: bytes }), call));
    await this.settled(name);
  }

  /** Publishes `$LATEST`, which must be this archive, as the next version. */
  async publish(name: string, { sha256 }: CodeArchive, operation: string): Promise<number> {
    const input = { FunctionName: name, CodeSha256: sha256, Description: descriptionOf(operation) };
    const { Version } = await this.call((sdk, client, call) =>
      client.send(new sdk.PublishVersionCommand(input), call).catch((error: unknown) => {
        // What Lambda answers when another process has replaced the code since.
        if ((error as Error).name !== 'InvalidParameterValueException') throw error;
        throw new FunctionPlatformUnavailable('the code of the function was replaced meanwhile');
      }));
    return this.usable(name, Version);
  }

  /** The version that an operation published; null: none. */
  async versionOf(name: string, operation: string): Promise<number | null> {
    let marker: string | undefined;
    do {
      const input = { FunctionName: name, ...(marker !== undefined && { Marker: marker }) };
      const page = await this.call((sdk, client, call) =>
        client.send(new sdk.ListVersionsByFunctionCommand(input), call).catch(nullWhenMissing));
      const published = page?.Versions?.find(({ Description, Version }) =>
        Version !== '$LATEST' && Description === descriptionOf(operation));
      if (published) return this.usable(name, published.Version);
      marker = page?.NextMarker;
    } while (marker !== undefined && marker !== '');
    return null;
  }

  /** The configuration of a function or of one version; null: there is none. */
  configuration(name: string, qualifier?: string): Promise<FunctionConfiguration | null> {
    const input = { FunctionName: name, ...(qualifier !== undefined && { Qualifier: qualifier }) };
    return this.call((sdk, client, call) =>
      client.send(new sdk.GetFunctionConfigurationCommand(input), call).catch(nullWhenMissing));
  }

  /** Removes a function with its versions; there need not be one. */
  async remove(name: string): Promise<void> {
    await this.call((sdk, client, call) =>
      client.send(new sdk.DeleteFunctionCommand({ FunctionName: name }), call).catch(nullWhenMissing));
  }

  private async create(name: string): Promise<void> {
    const { bytes } = await codeArchive(null);
    const input = { FunctionName: name, Runtime: runtime, Handler: entry, Code: { ZipFile: bytes }, ...this.wanted() };
    await this.call(async (sdk, client, call) => {
      try {
        await client.send(new sdk.CreateFunctionCommand(input), call);
      } catch (error) {
        // Created meanwhile, or by a try whose answer was lost.
        if ((error as Error).name !== 'ResourceConflictException') throw error;
      }
    });
  }

  private async configure(name: string): Promise<void> {
    const input = { FunctionName: name, Runtime: runtime, Handler: entry, ...this.wanted() };
    await this.call((sdk, client, call) => client.send(new sdk.UpdateFunctionConfigurationCommand(input), call));
    await this.settled(name);
  }

  private wanted() {
    const { role: Role, timeoutS: Timeout, memoryMb: MemorySize } = this.options.shape;
    return { Role, Timeout, MemorySize };
  }

  private isUpToDate({ Role, Timeout, MemorySize, Runtime, Handler }: FunctionConfiguration): boolean {
    const { shape } = this.options;
    const isSameCode = Runtime === runtime && Handler === entry;
    return isSameCode && Role === shape.role && Timeout === shape.timeoutS && MemorySize === shape.memoryMb;
  }

  /** The number of a version, once it can be invoked. */
  private async usable(name: string, version: string | undefined): Promise<number> {
    const number = Number(version);
    if (!Number.isInteger(number) || number < 1) throw new LambdaRefused('AWS Lambda answered without the number of a version');
    await this.settled(name, version);
    return number;
  }

  /** Waits until a change is in effect: until then Lambda refuses the next one, and invocations. */
  private async settled(name: string, qualifier?: string): Promise<void> {
    const { timeoutMs, pollMs } = this.options;
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = await this.configuration(name, qualifier);
      if (found === null) throw new FunctionPlatformUnavailable('the function was removed meanwhile');
      const { State, StateReasonCode, LastUpdateStatus, LastUpdateStatusReasonCode } = found;
      if (State === 'Failed') throw new LambdaRefused(`AWS Lambda could not create it: ${StateReasonCode}`);
      if (LastUpdateStatus === 'Failed') throw new LambdaRefused(`AWS Lambda could not change it: ${LastUpdateStatusReasonCode}`);
      if (State !== 'Pending' && LastUpdateStatus !== 'InProgress') return;
      if (performance.now() > deadline) throw new FunctionPlatformUnavailable('a change of the function is not in effect yet');
      await sleep(pollMs);
    }
  }

  private async call<T>(work: LambdaWork<T>): Promise<T> {
    try {
      return await this.clients.control(this.options.timeoutMs, work);
    } catch (error) {
      throw lambdaError(error);
    }
  }
}

function nullWhenMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
