import { gzipSync } from 'node:zlib';
import type { InvocationResponse } from '@aws-sdk/client-lambda';
import {
  type FunctionAnswer, type FunctionBounds, type FunctionCall, FunctionPlatformUnavailable, secretForms, secretMask,
} from '@sluice/ports';
import type { LambdaClients } from './lambda-client';
import {
  describe, isConflict, isForbidden, isMissing, isThrottled, isTransient, lambdaError, mayHaveArrived,
} from './lambda-errors';
import { harnessAnswer, readAnswer } from './read-answer';

export interface LambdaInvocationsOptions {
  bounds: FunctionBounds;
  /** Longest request of a function. Milliseconds. */
  fetchTimeoutMs: number;
  allowPrivateTargets: boolean;
  deniedTargets: readonly string[];
  /** Longest invocation with the start of a process, as this side waits for it. Milliseconds. */
  waitMs: number;
}

/** Bytes of one invocation's payload that Lambda takes. */
const maxPayloadBytes = 6 * 1024 * 1024;
const busyRetryMs = 2_000;
const nothingRun = { logs: [], logsDropped: 0, durationMs: 0, memoryMb: 0 };

/** Sends invocations to the harness of functions, and reads how they ended. */
export class LambdaInvocations {
  constructor(
    private readonly clients: LambdaClients,
    private readonly options: LambdaInvocationsOptions,
  ) {}

  /** Runs a plugin. Throws FunctionPlatformUnavailable when Lambda cannot be used. */
  async run(name: string, { qualifier, payload, grants, mayCall }: FunctionCall): Promise<FunctionAnswer> {
    const { bounds, fetchTimeoutMs, allowPrivateTargets, deniedTargets, waitMs } = this.options;
    const secrets = grants.secrets.map(({ value }) => value);
    const scope = {
      hosts: grants.hosts, secrets: grants.secrets, masks: secretForms(secrets), allowPrivateTargets, deniedTargets,
      // The function makes its calls by itself, so that this is asked once, for the longest that it may take.
      mayCall: grants.hosts.length > 0 && (mayCall === undefined || (await mayCall(waitMs))),
    };
    const event = JSON.stringify({ kind: 'run', payload, scope, bounds: { ...bounds, fetchTimeoutMs } });
    if (Buffer.byteLength(event) > maxPayloadBytes) return threw('its payload is longer than the 6 MiB that Lambda takes');
    try {
      return readAnswer(await this.send(name, String(qualifier), event), { bounds, mask: secretMask(secrets) });
    } catch (error) {
      return this.refused(error);
    }
  }

  /** Evaluates a module in the function that is to have it. @returns what is wrong with it; null: nothing */
  async check(name: string, code: string): Promise<string | null> {
    const event = JSON.stringify({ kind: 'check', code: gzipSync(code).toString('base64') });
    if (Buffer.byteLength(event) > maxPayloadBytes) return 'the bundle is longer than Lambda takes';
    const answer = await this.ask(name, event);
    const given = harnessAnswer(answer);
    if (answer.FunctionError !== undefined) return 'the module could not be evaluated: it took too long, or its process ended';
    if (given?.kind === 'sound') return null;
    return typeof given?.message === 'string' ? given.message : 'the module could not be evaluated';
  }

  /** Whether code was deployed to a function that exists. */
  async isDeployed(name: string): Promise<boolean> {
    const answer = await this.ask(name, JSON.stringify({ kind: 'probe' }));
    return answer.FunctionError !== undefined || harnessAnswer(answer)?.kind === 'present';
  }

  private async ask(name: string, event: string): Promise<InvocationResponse> {
    try {
      return await this.send(name, '$LATEST', event);
    } catch (error) {
      throw lambdaError(error);
    }
  }

  private send(name: string, qualifier: string, event: string): Promise<InvocationResponse> {
    const Payload = Buffer.from(event, 'utf8');
    return this.clients.invoke(this.options.waitMs, { FunctionName: name, Qualifier: qualifier, LogType: 'Tail', Payload });
  }

  private refused(error: unknown): FunctionAnswer {
    if (isMissing(error)) return { kind: 'missing' };
    if (isThrottled(error) || isConflict(error)) return { kind: 'busy', retryAfterMs: busyRetryMs };
    if (mayHaveArrived(error)) return { kind: 'interrupted', message: 'AWS Lambda gave no answer to the invocation' };
    if (isTransient(error) || isForbidden(error))
      throw new FunctionPlatformUnavailable(`AWS Lambda cannot be used: ${describe(error)}`);
    return threw(`AWS Lambda refused the invocation: ${describe(error)}`);
  }
}

const threw = (message: string): FunctionAnswer => ({ kind: 'threw', message, ...nothingRun });
