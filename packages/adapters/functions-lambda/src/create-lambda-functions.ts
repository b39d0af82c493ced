import {
  type FunctionBounds, functionBounds, type FunctionName, type FunctionPlatform, FunctionPlatformUnavailable,
} from '@sluice/ports';
import { codeArchive } from './code-archive';
import { FunctionArns, lambdaName } from './function-names';
import { type LambdaClientOptions, LambdaClients } from './lambda-client';
import { LambdaControl } from './lambda-control';
import { LambdaRefused } from './lambda-errors';
import { LambdaInvocations } from './lambda-invocations';

export interface LambdaFunctionsOptions extends Omit<LambdaClientOptions, 'region'> {
  /** null: `us-east-1`. */
  region: string | null;
  /** ARN of the role that functions run as. It needs no right but to write its log. */
  role: string;
  bounds?: Partial<FunctionBounds>;
  /** Longest call about functions, and longest wait until a change is in effect. Milliseconds. Default 30,000. */
  timeoutMs?: number;
  /** Time between two looks at a function that is being changed. Milliseconds. Default 500. */
  pollMs?: number;
  /** Longest request of a function. Milliseconds. Default 7,000. */
  fetchTimeoutMs?: number;
  /** Whether functions may call private addresses. */
  allowPrivateTargets: boolean;
  /** Addresses and networks that no function calls, also where private ones are allowed. */
  deniedTargets?: readonly string[];
}

/** What Lambda gives a function beside the bounds of the plugin: seconds to answer in, and MiB for Node itself. */
const [spareSeconds, runtimeMb] = [2, 128];
/** For the start of a process of the function, and the way there and back. Milliseconds. */
const startMs = 10_000;

/** Functions of plugins as functions of AWS Lambda, with its versions. */
export function createLambdaFunctions(options: LambdaFunctionsOptions): FunctionPlatform {
  const { role, timeoutMs = 30_000, pollMs = 500, fetchTimeoutMs = 7_000, allowPrivateTargets, deniedTargets = [] } = options;
  const region = options.region ?? 'us-east-1';
  const bounds = { ...functionBounds, ...options.bounds };
  const arns = new FunctionArns(role, region);
  const clients = new LambdaClients({ region, endpoint: options.endpoint, credentials: options.credentials });
  const timeoutS = Math.ceil(bounds.wallMs / 1_000) + spareSeconds;
  const control = new LambdaControl(clients, {
    shape: { role, timeoutS, memoryMb: bounds.memoryMb + runtimeMb }, timeoutMs, pollMs,
  });
  const invocations = new LambdaInvocations(clients, {
    bounds, fetchTimeoutMs, allowPrivateTargets, deniedTargets, waitMs: timeoutS * 1_000 + startMs,
  });
  return new LambdaFunctions({ arns, clients, control, invocations });
}

interface LambdaParts {
  arns: FunctionArns;
  clients: LambdaClients;
  control: LambdaControl;
  invocations: LambdaInvocations;
}

/**
 * The port. A module is evaluated by the function that is to have it before it becomes `$LATEST`: one that is refused leaves the
 * code that was there. A version names its operation, which is looked for before anything is published.
 */
class LambdaFunctions implements FunctionPlatform {
  constructor(private readonly parts: LambdaParts) {}

  arnOf(name: FunctionName): string {
    return this.parts.arns.arnOf(name);
  }

  deploy(name: FunctionName, code: string) {
    return asOutcome(async () => {
      const message = await this.check(lambdaName(name), code);
      if (message !== null) return { ok: false, message };
      await this.parts.control.replaceCode(lambdaName(name), await codeArchive(code));
      return { ok: true };
    });
  }

  publish(name: FunctionName, code: string, operation: string) {
    const { control } = this.parts;
    return asOutcome<{ ok: true; version: number }>(async () => {
      const published = await control.versionOf(lambdaName(name), operation);
      if (published !== null) return { ok: true, version: published };
      const message = await this.check(lambdaName(name), code);
      if (message !== null) return { ok: false, message };
      const archive = await codeArchive(code, operation);
      await control.replaceCode(lambdaName(name), archive);
      return { ok: true, version: await control.publish(lambdaName(name), archive, operation) };
    });
  }

  remove(name: FunctionName): Promise<void> {
    return asUnavailable(() => this.parts.control.remove(lambdaName(name)));
  }

  has({ organizationId, functionArn, qualifier }: Parameters<FunctionPlatform['has']>[0]): Promise<boolean> {
    const { arns, control, invocations } = this.parts;
    return asUnavailable(async () => {
      const name = arns.nameOf(functionArn, organizationId);
      if (name === null || (await control.configuration(name, String(qualifier))) === null) return false;
      return qualifier !== '$LATEST' || invocations.isDeployed(name);
    });
  }

  async invoke(call: Parameters<FunctionPlatform['invoke']>[0]) {
    const name = this.parts.arns.nameOf(call.functionArn, call.organizationId);
    return name === null ? ({ kind: 'missing' } as const) : this.parts.invocations.run(name, call);
  }

  close(): Promise<void> {
    return this.parts.clients.close();
  }

  private async check(name: string, code: string): Promise<string | null> {
    await this.parts.control.ensure(name);
    return this.parts.invocations.check(name, code);
  }
}

interface Refusal {
  ok: false;
  message: string;
}

/** A refusal for good is the outcome of a deployment. */
async function asOutcome<T>(work: () => Promise<T | Refusal>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LambdaRefused) return { ok: false, message: error.message };
    throw error;
  }
}

/** The port knows no other failure where nothing is deployed: the caller tries again until an operator has mended it. */
async function asUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LambdaRefused) throw new FunctionPlatformUnavailable(error.message);
    throw error;
  }
}
