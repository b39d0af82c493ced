import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RouteContract } from '@sluice/contracts';
import type { Logger } from '@sluice/ports';
import {
  type CallerAddress, callerNetwork, type ErrorAnswer, errorAnswer, type HistogramMetric, requestIdOf, type TraceHeaders,
} from '@sluice/service-kit';
import type { ProcessCounts } from '@sluice/service-parts';
import { inTrace } from './in-trace';

/** One request under way. */
export interface FastCall {
  request: IncomingMessage;
  requestId: string;
  /** Name of the route, for log lines and metrics. */
  route: string;
  /** Trace context for the headers of messages. */
  trace: TraceHeaders;
  /** The network of the caller, for budgets. */
  network(): string;
  /** What the log line of a refused request says beside the request; set as soon as it is known. */
  facts(): Record<string, unknown>;
  /** Id of the connector whose key or signature the caller showed: the answer counts for its availability. */
  sender: string | undefined;
}

/** An answer: JSON text, unless `headers` says otherwise. */
export interface FastAnswer {
  status: number;
  text: string | Buffer;
  headers?: Readonly<Record<string, string>>;
}

export interface FastHandlerDeps {
  addressOf: CallerAddress;
  logger: Logger;
  counts: Pick<ProcessCounts, 'add'>;
  /** `httpDurations` of the service's metrics. */
  durations: HistogramMetric;
}

/** What a route adds to the handler. */
export interface FastRoute {
  contract: RouteContract;
  /** Rejects with the HttpError to answer. */
  serve(call: FastCall): Promise<FastAnswer>;
  /** The body of an error answer. Default: `{detail}`. */
  errorBody?(answer: ErrorAnswer): unknown;
}

const noFacts = (): Record<string, unknown> => ({});

/**
 * A route on node:http, in front of express (ADR 0004): the same contract, error shapes, headers, metrics and traces as every
 * route, without the cost of express. What succeeds has no log line: the record rows say what became of it, and a log line costs
 * more than the rest of the path.
 */
export function createFastHandler(deps: FastHandlerDeps, route: FastRoute): RequestListener {
  const { addressOf, counts, durations, logger } = deps;
  const { name: usualName, path } = route.contract;

  function end(call: FastCall, started: number, status: number, detail?: string): void {
    const { facts, request, requestId, route: name, sender } = call;
    const seconds = (performance.now() - started) / 1000;
    durations.observe(seconds, { method: request.method ?? 'POST', route: name, status });
    if (sender !== undefined) count(sender, status);
    if (status < 400) return;
    logger[status >= 500 ? 'error' : 'info']('request', {
      request_id: requestId, method: request.method, path, route: name, status, detail, address: addressOf(request), ...facts(),
      duration_ms: Math.round(seconds * 100_000) / 100,
    });
  }

  function count(connectorId: string, status: number): void {
    counts.add(connectorId, 'ingest_requests');
    if (status === 502 || status === 503) counts.add(connectorId, 'ingest_unavailable');
  }

  return (request, response) => {
    const started = performance.now();
    const call: FastCall = {
      request,
      requestId: requestIdOf(request.headers['x-request-id']),
      route: usualName,
      trace: {},
      network: () => callerNetwork(addressOf(request)),
      facts: noFacts,
      sender: undefined,
    };
    inTrace(request.headers, route.contract, (trace) => {
      call.trace = trace;
      return route.serve(call);
    }).then(
      (answer) => {
        send(response, call.requestId, answer);
        end(call, started, answer.status);
      },
      (error: unknown) => {
        const answer = errorAnswer(error, call.requestId);
        if (!answer.expected) logger.error('unexpected error', { error, request_id: call.requestId });
        const text = JSON.stringify(route.errorBody?.(answer) ?? answer.body);
        send(response, call.requestId, { status: answer.status, text, headers: answer.headers });
        end(call, started, answer.status, answer.expected ? codeOf(answer.body.detail) : undefined);
      },
    );
  };
}

function send(response: ServerResponse, requestId: string, { status, text, headers }: FastAnswer): void {
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
  const { error, message } = detail as { error?: unknown; message?: unknown };
  return String(error ?? message);
}
