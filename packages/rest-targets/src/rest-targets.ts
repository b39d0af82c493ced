import { createHash } from 'node:crypto';
import type { Source } from '@sluice/contracts';
import {
  type CallFailure, type CallLeases, type ConfigReader, type MonotonicClock, type RestTargets, startRefusal, targetFailure, timed,
  type TargetFailure,
  type TargetRequest, type TargetResult, targetUrl, type WallClock,
} from '@sluice/ports';
import { HeaderSet, type RestClient, type RestResult } from '@sluice/rest-client';
import { readConfig, type RestConfig } from '@sluice/sources';
import { createAccessTokens } from './access-tokens';
import { quotedAnswer, readAnswer } from './read-answer';
import { createSourceCredentials } from './source-credentials';
import { createSwitchedOff, type SwitchedOff } from './source-switches';
import { secretHeaders, type SecretHeaders, type SourceHeadersDeps } from './source-headers';
import { createTargetGates, type GateReport, type TargetGates } from './target-gates';

export interface RestTargetsDeps extends CallLeases {
  client: RestClient;
  reader: Pick<ConfigReader, 'sourceCredential' | 'sourceStates'>;
  monotonicNow: MonotonicClock;
  /** For dates in answers. */
  now: WallClock;
  /** While a unit waits for a destination it does not count as active: CRM batches do not wait for it. */
  waiting<T>(work: Promise<T>): Promise<T>;
  /** For one request in all. Milliseconds. */
  timeoutMs: number;
  /** Bytes of an answer that are read. */
  maxAnswerBytes: number;
  /** Requests to one destination at once. */
  connections: number;
  failingAfterMs: number;
  observer: { called(call: { status: number; ok: boolean; ms: number }): void };
  /**
   * Called with the secrets of a request before it is sent.
   * @returns what takes all secrets of the connector out of a text; answers flow on into the CRM
   */
  secretsUsed(connectorId: string, secrets: readonly string[]): (text: string) => string;
}

/** The run that requests are sent for. */
export interface TargetRun {
  organizationId: string;
  connectorId: string;
  /** `unitKeyText` of the unit, and the flow that runs: with the step they are the `Idempotency-Key`. */
  unitKey: string;
  flowName: string;
  sources: readonly Source[];
  /** Called when a request got no definite answer: it may still take effect. `sentMsAgo`: how long ago it was sent. */
  unanswered(sentMsAgo: number): void;
  /** Whether this runner still owns the unit's partition. */
  owned(): boolean;
}

/** Requests of one destination that may wait for a slot; the units of further requests are held. */
const maxWaiting = 200;
/** Statuses of a proxy that gave up waiting for the destination. */
const gaveUpWaiting: ReadonlySet<number> = new Set([502, 504, 520, 522, 524]);

/** The REST destinations for the runs of units. */
export function createRestTargets(deps: RestTargetsDeps): Targets {
  const parts: Parts = {
    ...deps,
    credentials: createSourceCredentials(deps),
    tokens: createAccessTokens(deps),
    isOff: createSwitchedOff(deps),
    gates: createTargetGates({ ...deps, slots: deps.connections, maxWaiting }),
  };
  return {
    forRun: (run) => ({
      send: (request) => deps.waiting(send(parts, run, request)),
      now: deps.now,
    }),
    headersOf: (run, name) => deps.waiting(headersOf(parts, run, name)),
  };
}

/** Whose sources they are. */
type SourceRun = Pick<TargetRun, 'organizationId' | 'connectorId' | 'sources'>;

/** The headers that requests of a source are sent with. */
export interface OutboundHeaders {
  ok: true;
  headers: Record<string, string>;
  /** Texts to mask. */
  secrets: readonly string[];
  /** The origin of the source's `base_url`, the only one that they may go to; null: there is no such source. */
  origin: string | null;
}

/** What `createRestTargets` makes. */
export interface Targets {
  forRun(run: TargetRun): RestTargets;
  /**
   * The outbound headers of a source of type rest: `default_headers`, then `secret_headers`, then that of its credential. A
   * source that is not there or whose credential cannot be used has none. Only transient failures are failures.
   */
  headersOf(run: SourceRun, name: string): Promise<OutboundHeaders | CallFailure>;
}

const noHeaders: OutboundHeaders = { ok: true, headers: {}, secrets: [], origin: null };

async function headersOf(
  parts: Parts, { organizationId, connectorId, sources }: SourceRun, name: string,
): Promise<OutboundHeaders | CallFailure> {
  const source = destination(sources, name);
  if (source === undefined || !URL.canParse(source.base_url)) return noHeaders;
  const secret = await secretHeaders(parts, organizationId, { source, url: source.base_url });
  if (!secret.ok && secret.kind === 'transient') return secret;
  const all = new HeaderSet();
  const { headers, secrets } = secret.ok ? secret : { headers: {}, secrets: [] };
  if (all.add((source.default_headers ?? {}) as Record<string, string>) ?? all.add(headers)) return noHeaders;
  parts.secretsUsed(connectorId, secrets);
  return { ok: true, headers: all.toObject(), secrets, origin: new URL(source.base_url).origin };
}

interface Parts extends RestTargetsDeps, SourceHeadersDeps {
  isOff: SwitchedOff;
  gates: TargetGates;
}

async function send(parts: Parts, run: TargetRun, request: TargetRequest): Promise<TargetResult> {
  const prepared = prepare(run, request);
  if (!prepared.ok) return prepared;
  if (request.target !== null && (await parts.isOff(run.connectorId, request.target)))
    return refused('target_disabled', `'${request.target}' is switched off`);
  const key = request.target ?? new URL(prepared.url).origin;
  const entrance = await parts.gates.enter(JSON.stringify([run.connectorId, key]), request.bestEffort !== true);
  if (!entrance.ok) return turnedAway(key, entrance);
  let report: GateReport = { kind: 'none' };
  try {
    const result = await sendPrepared(parts, run, request, prepared);
    report = gateReport(result);
    return result;
  } finally {
    entrance.leave(report);
  }
}

interface Prepared {
  ok: true;
  url: string;
  source: RestConfig | null;
  /** All but those that carry secrets. */
  headers: HeaderSet;
  body: string | undefined;
}

function prepare(run: TargetRun, request: TargetRequest): Prepared | TargetFailure {
  const source = request.target === null ? null : destination(run.sources, request.target);
  if (source === undefined)
    return refused('unknown_destination', `'${request.target}' is no source of type rest of this config`);
  const url = source === null ? request.url : targetUrl(source.base_url, request.url);
  if (url === null || !URL.canParse(url))
    return refused('target_request_invalid', 'url: its path cannot stand below the base_url of the destination');
  const headers = new HeaderSet();
  headers.set('Accept', 'application/json');
  if (request.method !== 'GET') headers.set('Idempotency-Key', idempotencyKey(run, request.stepId));
  const problem = headers.add((source?.default_headers ?? {}) as Record<string, string>) ?? headers.add(request.headers);
  if (problem !== null) return refused('target_request_invalid', problem);
  return { ok: true, url, source, headers, body: encodedBody(request.body, headers) };
}

const destination = (sources: readonly Source[], name: string): RestConfig | undefined => {
  const source = sources.find((candidate) => candidate.name === name && candidate.type === 'rest');
  return source && readConfig<RestConfig>(source.config);
};

/** The same for every attempt of a step over an event; a replay is a new run with another key. */
const idempotencyKey = ({ unitKey, flowName }: TargetRun, stepId: string): string =>
  createHash('sha256').update(JSON.stringify([unitKey, flowName, stepId])).digest('hex').slice(0, 40);

function encodedBody(body: unknown, headers: HeaderSet): string | undefined {
  if (body === undefined) return undefined;
  const type = headers.get('content-type');
  if (typeof body === 'string' && type !== undefined && !/[/+]json\b/i.test(type)) return body;
  if (type === undefined) headers.set('Content-Type', 'application/json');
  return JSON.stringify(body);
}

async function sendPrepared(parts: Parts, run: TargetRun, request: TargetRequest, prepared: Prepared): Promise<TargetResult> {
  const first = await resolved(parts, run, prepared);
  if (!first.ok) return first;
  const answer = await sendOnce(parts, run, request, prepared, first);
  if (answer.ok || answer.status !== 401 || prepared.source === null) return answer;
  // Credentials may have been rotated, or a token revoked, since they were read: sent once more with fresh ones.
  const second = await resolved(parts, run, prepared, { refusedToken: first.token });
  const isNew = second.ok && JSON.stringify(second.headers) !== JSON.stringify(first.headers);
  return isNew ? sendOnce(parts, run, request, prepared, second) : answer;
}

const resolved = (
  parts: Parts, run: TargetRun, { source, url }: Prepared, renew?: { refusedToken: string | null },
): ReturnType<typeof secretHeaders> => secretHeaders(parts, run.organizationId, { source: source ?? {}, url }, renew);

async function sendOnce(
  parts: Parts, run: TargetRun, request: TargetRequest, { url, headers, body }: Prepared, secret: SecretHeaders,
): Promise<TargetResult> {
  const mask = parts.secretsUsed(run.connectorId, secret.secrets);
  const timeoutMs = Math.min(request.timeoutMs ?? parts.timeoutMs, parts.timeoutMs);
  const refusal = await startRefusal(parts, timeoutMs, run.owned);
  if (refusal) return refusal;
  const all = new HeaderSet();
  const problem = all.add(headers.toObject()) ?? all.add(secret.headers);
  if (problem !== null) return { ok: false, kind: 'fatal', code: 'target_credential_unusable', message: problem };
  const startedAt = parts.monotonicNow();
  const call = (): Promise<RestResult> => parts.client.call(
    { method: request.method, url, headers: all.toObject(), ...(body !== undefined && { body }) },
    { timeoutMs, maxBytes: parts.maxAnswerBytes },
  );
  const result = request.method === 'GET' ? await call() : await timed(parts, call);
  const read = readResult(result, request, mask, parts.now());
  parts.observer.called({ status: statusOf(result) ?? 0, ok: read.ok, ms: parts.monotonicNow() - startedAt });
  if (mayStillLand(request, result)) run.unanswered(parts.monotonicNow() - startedAt);
  return read;
}

const statusOf = (result: RestResult): number | undefined => result.status;

function mayStillLand(request: TargetRequest, result: RestResult): boolean {
  if (request.method === 'GET' || request.bestEffort) return false;
  if (result.answered) return gaveUpWaiting.has(result.status);
  return ['no_answer', 'timed_out', 'aborted'].includes(result.reason);
}

function readResult(
  result: RestResult, request: TargetRequest, mask: (text: string) => string, now: number,
): TargetResult {
  if (result.answered) {
    const answer = readAnswer(result, mask);
    if (answer.status < 300) return { ok: true, value: answer };
    return targetFailure(answer.status, answer.headers, quotedAnswer(answer.body), now);
  }
  const { reason, status } = result;
  const message = mask(result.message);
  if (reason === 'answer_too_large' && status !== undefined) {
    if (status >= 300) return targetFailure(status, {}, '', now);
    if (request.statusOnly || request.bestEffort) return { ok: true, value: { status, headers: {}, body: null } };
    return { ok: false, kind: 'permanent', code: 'target_answer_too_large', message, status };
  }
  if (reason === 'target_refused') return refused('target_refused', message);
  if (reason === 'not_sent')
    return { ok: false, kind: 'transient', code: 'target_not_reached', message: `the destination cannot be reached: ${message}` };
  const unknown = `the destination gave no answer, whether it did what was asked is unknown: ${message}`;
  return { ok: false, kind: 'transient', code: 'target_no_answer', message: unknown };
}

const refused = (code: TargetFailure['code'], message: string): TargetFailure =>
  ({ ok: false, kind: 'permanent', code, message });

const turnedAway = (name: string, { waitMs, why }: { waitMs: number; why: string }): TargetFailure => ({
  ok: false, kind: 'transient', code: 'target_closed', retryAfterMs: waitMs,
  message: `'${name}' is not called at the moment: ${why}`,
});

/** A failure of the token endpoint is no failure of the destination itself. */
function gateReport(result: TargetResult): GateReport {
  if (result.ok) return { kind: 'answered' };
  if (result.status === 429) return { kind: 'refused', forMs: result.retryAfterMs ?? 1_000 };
  if (result.status === 503 && result.retryAfterMs !== undefined) return { kind: 'refused', forMs: result.retryAfterMs };
  if (['target_unavailable', 'target_not_reached', 'target_no_answer'].includes(result.code)) return { kind: 'failed' };
  return { kind: result.status === undefined ? 'none' : 'answered' };
}
