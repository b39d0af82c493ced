import type { InvocationResponse, InvokeCommandInput, LambdaClient } from '@aws-sdk/client-lambda';

/** The SDK is loaded with the first call: an installation that runs plugins itself never pays for it. */
export type Sdk = typeof import('@aws-sdk/client-lambda');
export interface SdkCall {
  abortSignal: AbortSignal;
}
export type LambdaWork<T> = (sdk: Sdk, client: LambdaClient, call: SdkCall) => Promise<T>;

export interface LambdaClientOptions {
  region: string;
  /** Address of a service other than AWS that has its API; null: AWS. */
  endpoint: string | null;
  /** null: the environment's own credentials (a role of the machine, the container or the service account). */
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
}

/** Tries of one call that changes or reads functions. An invocation is sent once: it may have run where no answer came. */
const controlAttempts = 3;
/** Sockets to Lambda of one process. */
const maxSockets = 256;

/** The two clients of Lambda: for calls about functions, which the SDK repeats, and for invocations, which it does not. */
export class LambdaClients {
  private opened: Promise<{ sdk: Sdk; control: LambdaClient; invocations: LambdaClient }> | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly options: LambdaClientOptions) {}

  /** Runs a call about functions within a time. Throws the errors of the SDK. */
  async control<T>(timeoutMs: number, work: LambdaWork<T>): Promise<T> {
    const { sdk, control } = await this.open();
    return work(sdk, control, this.within(timeoutMs));
  }

  /** Sends one invocation. Throws the errors of the SDK. */
  async invoke(timeoutMs: number, input: InvokeCommandInput): Promise<InvocationResponse> {
    const { sdk, invocations } = await this.open();
    return invocations.send(new sdk.InvokeCommand(input), this.within(timeoutMs));
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.closing.abort();
    const opened = await this.opened?.catch(() => undefined);
    opened?.control.destroy();
    opened?.invocations.destroy();
  }

  private within(timeoutMs: number): SdkCall {
    return { abortSignal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(timeoutMs)]) };
  }

  private open() {
    return (this.opened ??= import('@aws-sdk/client-lambda').then((sdk) => ({
      sdk, control: new sdk.LambdaClient(this.settings(controlAttempts)), invocations: new sdk.LambdaClient(this.settings(1)),
    })));
  }

  private settings(maxAttempts: number) {
    const { region, endpoint, credentials } = this.options;
    return {
      region, maxAttempts, requestHandler: { httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
      ...(endpoint !== null && { endpoint }), ...(credentials !== null && { credentials }),
    };
  }
}
