import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ingestRoutes } from '@sluice/contracts';
import type { Logger } from '@sluice/ports';
import { errorAnswer, type HistogramMetric, HttpError, parseJson, requestIdOf, type TraceHeaders } from '@sluice/service-kit';
import type { AuthenticateKey } from '../connectors/authenticate-key';
import { checkEvent } from '../events/check-event';
import type { AcceptEvent } from './accept-event';
import { inTrace } from './in-trace';
import { readBody } from './read-body';
import type { AcceptedEvent } from './resend-marks';

const { name, path, bodyLimit } = ingestRoutes.acceptEvent;

export interface AcceptHandlerDeps {
  authenticate: AuthenticateKey;
  accept: AcceptEvent;
  logger: Logger;
  /** `httpDurations` of the service's metrics. */
  durations: HistogramMetric;
}

/**
 * `POST /api/v1/events` on node:http, in front of express (DESIGN 8): the same contract, order of checks, error shapes,
 * headers, metrics and traces as every route, without the app's cost per request.
 * An accepted event leaves no log line: its record row tells its story, and a line costs more than the rest of the path.
 */
export function createAcceptHandler(deps: AcceptHandlerDeps): RequestListener {
  async function serve(request: IncomingMessage, requestId: string, trace: TraceHeaders): Promise<AcceptedEvent> {
    const known = deps.authenticate(request.headers['x-api-key']);
    const connector = known instanceof Promise ? await known : known;
    const bytes = await readBody(request, bodyLimit);
    return deps.accept(connector, checkEvent(parseJson(bytes), request.headers), { requestId, trace });
  }

  return (request, response) => {
    const started = performance.now();
    const requestId = requestIdOf(request.headers['x-request-id']);
    const end = (status: number, detail: unknown): void => {
      const seconds = (performance.now() - started) / 1000;
      deps.durations.observe(seconds, { method: 'POST', route: name, status });
      const fields = (): object => ({ request_id: requestId, method: 'POST', path, route: name, status, detail, duration_ms: Math.round(seconds * 100_000) / 100 });
      if (status >= 500) deps.logger.error('request', { ...fields() });
      else if (status >= 400) deps.logger.info('request', { ...fields() });
    };
    inTrace(request.headers, ingestRoutes.acceptEvent, (trace) => serve(request, requestId, trace)).then(
      (accepted) => {
        send(response, 202, requestId, acceptedText(accepted));
        end(202, undefined);
      },
      (error: unknown) => {
        const answer = errorAnswer(error, requestId);
        if (!answer.expected) deps.logger.error('unexpected error', { error, request_id: requestId });
        send(response, answer.status, requestId, JSON.stringify(answer.body), answer.headers);
        end(answer.status, error instanceof HttpError ? codeOf(error.detail) : undefined);
      },
    );
  };
}

function acceptedText({ event_id, entities_count, hint }: AcceptedEvent): string {
  return `{"event_id":"${event_id}","status":"processing","entities_count":${entities_count},"hint":${hint === null ? 'null' : JSON.stringify(hint)}}`;
}

function send(response: ServerResponse, status: number, requestId: string, text: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text), 'X-Request-ID': requestId, 'X-Content-Type-Options': 'nosniff', ...headers,
  });
  response.end(text);
}

/** For the log line: the code of an error. Nothing of what was sent. */
function codeOf(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return `${detail.length} validation entries`;
  return String((detail as { error?: unknown }).error);
}
