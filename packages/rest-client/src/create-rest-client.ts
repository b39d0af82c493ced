import { Agent, errors, request as send } from 'undici';
import { type AddressCheckOptions, createAddressCheck } from './address-check';
import { PrivateTargetError, refusedTarget } from './checked-lookup';
import { isUnsent } from './is-unsent';
import type { RestClient, RestFailure, RestRequest, RestResult } from './rest-client';

export interface RestClientOptions extends AddressCheckOptions {
  /** Connections per target, default 16. */
  connections?: number;
  /** Milliseconds, default 5,000. */
  connectTimeoutMs?: number;
  /** Largest answer body in bytes when the call names no smaller limit; default 1 MiB. */
  maxBytes?: number;
}

/** A client with a pool of connections per target. Requests of one connection run one after the other, they are not pipelined. */
export function createRestClient({
  connections = 16,
  connectTimeoutMs = 5_000,
  maxBytes = 1024 * 1024,
  ...addresses
}: RestClientOptions): RestClient {
  const { isRefused, lookup } = createAddressCheck(addresses);
  const agent = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: { timeout: connectTimeoutMs, lookup },
  });
  return {
    call: async (request, options) => {
      const refusal = refusalOf(request.url, isRefused);
      if (refusal) return failure('target_refused', refusal);
      const timeout = AbortSignal.timeout(options.timeoutMs);
      try {
        return await answerOf(
          agent,
          request,
          options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
          options.maxBytes ?? maxBytes,
        );
      } catch (error) {
        if (options.signal?.aborted) return failure('aborted', 'the call was taken back');
        if (timeout.aborted) return failure('timed_out', `no answer within ${options.timeoutMs} ms`);
        return failureOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

async function answerOf(
  agent: Agent,
  { method, url, headers, body }: RestRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<RestResult> {
  const answer = await send(url, {
    dispatcher: agent,
    method,
    headers: { 'user-agent': 'sluice', ...headers },
    body: body ?? null,
    signal,
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop ends the connection: the rest is not read.
    if (size > maxBytes) return tooLarge(answer.statusCode, maxBytes);
    chunks.push(chunk);
  }
  return { answered: true, status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

/** Why a URL must not be called; undefined when it may be. The address of a name is checked when the connection is made. */
function refusalOf(text: string, isRefused: (url: URL) => boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'the URL is not one of http or https';
  if (url.username !== '' || url.password !== '') return 'the URL holds a user name or a password';
  return isRefused(url) ? refusedTarget(url.hostname) : undefined;
}

function failureOf(error: unknown): RestResult {
  if (error instanceof PrivateTargetError) return failure('target_refused', error.message);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof errors.InvalidArgumentError || isUnsent(error)) return failure('not_sent', message);
  return failure('no_answer', message);
}

const tooLarge = (status: number, maxBytes: number): RestResult => ({
  answered: false,
  reason: 'answer_too_large',
  status,
  message: `the answer (status ${status}) is longer than ${maxBytes} bytes`,
});

const failure = (reason: RestFailure, message: string): RestResult => ({ answered: false, reason, message });
