import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FunctionBounds, FunctionGrants } from '@sluice/ports';
import type { RestClient, RestResult } from '@sluice/rest-client';
import type { GuestAnswer } from '../sandbox/invocation';
import { type AllowedRequest, checkHop, FetchRefused, readRequest, redirected } from './fetch-rules';

/** What the calls of one invocation may do. */
export interface FetchScope {
  grants: FunctionGrants;
  /** Asked before each hop. */
  mayCall?(timeoutMs: number): Promise<boolean>;
}

export interface HostFetchOptions {
  client: RestClient;
  bounds: FunctionBounds;
  /** Longest call of one hop, milliseconds. */
  timeoutMs: number;
}

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Of the connection, not of the answer; and cookies, which the function does not get. */
const hiddenHeaders: ReadonlySet<string> = new Set([
  'connection', 'content-encoding', 'content-length', 'keep-alive', 'set-cookie', 'set-cookie2', 'trailer', 'transfer-encoding',
  'upgrade',
]);

/**
 * Makes the requests of one invocation: the service does, the function's process has no network. Every hop is checked against the
 * grants; the address is checked again when its connection is made.
 */
export class HostFetch {
  private calls = 0;
  private readonly deadline: number;

  constructor(
    private readonly options: HostFetchOptions,
    private readonly scope: FetchScope,
  ) {
    this.deadline = performance.now() + options.bounds.wallMs;
  }

  /** A refusal and a failure are answers, which make the function's promise reject. */
  readonly request = async (head: string, body: Buffer | null): Promise<GuestAnswer> => {
    const { bounds } = this.options;
    try {
      if (this.calls >= bounds.fetches) throw new FetchRefused(`more than ${bounds.fetches} calls of fetch`);
      this.calls += 1;
      if (body !== null && body.length > bounds.fetchBytes) throw new FetchRefused('the body of a request is too long');
      return await this.follow(readRequest(head, body));
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      return { ok: false, head: `fetch failed: ${error.message}`, body: Buffer.alloc(0) };
    }
  };

  private async follow(first: AllowedRequest): Promise<GuestAnswer> {
    let request = first;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const answer = await this.hop(request);
      const { location } = answer.headers;
      if (!redirectStatuses.has(answer.status) || typeof location !== 'string') return this.answerOf(answer, request, hop > 0);
      request = redirected(request, answer.status, location);
    }
    throw new FetchRefused(`more than ${maxRedirects} redirects`);
  }

  private async hop(request: AllowedRequest): Promise<Answered> {
    const { client, timeoutMs, bounds } = this.options;
    checkHop(request, this.scope.grants);
    const wait = Math.ceil(Math.min(timeoutMs, this.deadline - performance.now()));
    if (wait <= 0) throw new FetchRefused('the time of the invocation is over');
    if (this.scope.mayCall && !(await this.scope.mayCall(wait)))
      throw new FetchRefused('this runner may not make calls any more');
    const { method, url, headers, body } = request;
    const result = await client.call(
      { method, url: url.href, headers: { accept: '*/*', ...headers }, ...(body && { body }) },
      { timeoutMs: wait, maxBytes: bounds.fetchBytes },
    );
    if (!result.answered) throw new FetchRefused(result.message);
    return result;
  }

  private async answerOf(answer: Answered, { url }: AllowedRequest, wasRedirected: boolean): Promise<GuestAnswer> {
    const body = await this.unpacked(answer);
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined || hiddenHeaders.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    );
    const head = { status: answer.status, url: url.href, redirected: wasRedirected, headers };
    return { ok: true, head: JSON.stringify(head), body };
  }

  /** The size counts after unpacking. */
  private async unpacked({ headers, body }: Answered): Promise<Buffer> {
    const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
    if (coding === 'identity' || body.length === 0) return body;
    const unpack = Object.hasOwn(unpackers, coding) ? unpackers[coding as keyof typeof unpackers] : null;
    if (!unpack) throw new FetchRefused(`an answer in the coding '${coding}' cannot be read`);
    try {
      return await unpack(body, { maxOutputLength: this.options.bounds.fetchBytes });
    } catch {
      throw new FetchRefused(`the answer is longer than ${this.options.bounds.fetchBytes} bytes, or damaged`);
    }
  }
}

type Answered = Extract<RestResult, { answered: true }>;

const unpackers = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) } as const;
