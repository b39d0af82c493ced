import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type ConnectorChange, ingestRoutes } from '@sluice/contracts';
import type { Logger } from '@sluice/ports';
import {
  type CallerAddress,
  callerNetwork,
  errorAnswer,
  type HistogramMetric,
  HttpError,
  type JsonShape,
  parseJson,
  readBody,
  requestIdOf,
  type TraceHeaders,
} from '@sluice/service-kit';
import type { ProcessCounts } from '@sluice/service-parts';
import type { AuthenticateKey } from '../connectors/authenticate-key';
import { keyPrincipal } from '../connectors/key-principal';
import { checkEvent } from '../events/check-event';
import type { CallerTurns } from '../limits/caller-turns';
import type { WorkBudget } from '../limits/work-budget';
import type { AcceptEvent } from './accept-event';
import { inTrace } from './in-trace';
import type { AcceptedEvent } from './idempotency-cache';

const { name, path, bodyLimit } = ingestRoutes.acceptEvent;

export interface AcceptHandlerDeps {
  authenticate: AuthenticateKey;
  accept: AcceptEvent;
  budget: WorkBudget;
  counts: Pick<ProcessCounts, 'add'>;
  turns: CallerTurns;
  addressOf: CallerAddress;
  logger: Logger;
  /** `httpDurations` of the service's metrics. */
  durations: HistogramMetric;
}

/** One request under way. */
interface Call {
  request: IncomingMessage;
  requestId: string;
  started: number;
  /** Set once the key is authenticated. */
  connector: ConnectorChange | undefined;
}

/**
 * `POST /api/v1/events` on node:http, in front of express (ADR 0004): the same contract, order of checks, error shapes, headers,
 * metrics and traces as every route, without the cost of express. An accepted event has no log line: its record row says what
 * became of it, and a log line costs more than the rest of the path.
 */
export function createAcceptHandler(deps: AcceptHandlerDeps): RequestListener {
  const { budget, counts, turns, addressOf, durations, logger } = deps;

  async function serve(call: Call, trace: TraceHeaders): Promise<AcceptedEvent> {
    const { request, requestId } = call;
    const network = (): string => callerNetwork(addressOf(request));
    const known = deps.authenticate(request.headers['x-api-key'], network);
    const connector = known instanceof Promise ? await known : known;
    call.connector = connector;
    const spender = { organizationId: connector.organization_id, key: String(request.headers['x-api-key']), network };
    // Checked before the body is read, because the cost of a body is known only after it was parsed.
    budget.assertLeft(spender);
    let shape: JsonShape | null = null;
    try {
      const bytes = await readBody(request, bodyLimit);
      // A caller that was refused recently may be flooding us: it takes turns.
      if (budget.owes(connector.organization_id)) await turns.next(network());
      const body = parseJson(bytes, (seen) => void (shape = seen));
      const accepted = await deps.accept(connector, checkEvent(body, request.headers), { requestId, trace });
      budget.spend(spender, { shape, refused: false });
      return accepted;
    } catch (error) {
      budget.spend(spender, { shape, refused: error instanceof HttpError && error.status < 500 });
      throw error;
    }
  }

  function end({ request, requestId, started, connector }: Call, status: number, detail?: string): void {
    const seconds = (performance.now() - started) / 1000;
    durations.observe(seconds, { method: 'POST', route: name, status });
    if (connector) count(connector.connector_id, status);
    if (status < 400) return;
    logger[status >= 500 ? 'error' : 'info']('request', {
      request_id: requestId,
      method: 'POST',
      path,
      route: name,
      status,
      detail,
      address: addressOf(request),
      organization_id: connector?.organization_id,
      connector_id: connector?.connector_id,
      principal: connector && keyPrincipal(connector, request.headers['x-api-key']),
      duration_ms: Math.round(seconds * 100_000) / 100,
    });
  }

  function count(connectorId: string, status: number): void {
    counts.add(connectorId, 'ingest_requests');
    if (status === 502 || status === 503) counts.add(connectorId, 'ingest_unavailable');
  }

  return (request, response) => {
    const call: Call = {
      request,
      requestId: requestIdOf(request.headers['x-request-id']),
      started: performance.now(),
      connector: undefined,
    };
    inTrace(request.headers, ingestRoutes.acceptEvent, (trace) => serve(call, trace)).then(
      (accepted) => {
        send(response, 202, call.requestId, acceptedText(accepted));
        end(call, 202);
      },
      (error: unknown) => {
        const answer = errorAnswer(error, call.requestId);
        if (!answer.expected) logger.error('unexpected error', { error, request_id: call.requestId });
        send(response, answer.status, call.requestId, JSON.stringify(answer.body), answer.headers);
        end(call, answer.status, error instanceof HttpError ? codeOf(error.detail) : undefined);
      },
    );
  };
}

function acceptedText({ event_id, entities_count, hint }: AcceptedEvent): string {
  return `{"event_id":"${event_id}","status":"processing","entities_count":${entities_count},"hint":${hint === null ? 'null' : JSON.stringify(hint)}}`;
}

function send(
  response: ServerResponse,
  status: number,
  requestId: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-ID': requestId,
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

/** The error code for the log line, without any content of the request. */
function codeOf(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return `${detail.length} validation entries`;
  return String((detail as { error?: unknown }).error);
}
