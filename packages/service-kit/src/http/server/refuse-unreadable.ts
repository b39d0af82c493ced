import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@sluice/contracts';
import type { Logger } from '@sluice/ports';
import type { Metrics } from '../../observe/create-metrics';
import { httpDurations } from '../request/begin-request';
import { callerAddress } from '../request/caller-address';
import { apiError } from '../errors/http-error';
import { requestIdOf } from '../../observe/request-id';
import { connectionOf } from '../request/open-connections';

export interface RefuseUnreadableOptions {
  logger: Logger;
  metrics?: Metrics;
}

/** Errors of node's parser as answers of the API. Any other error is `Bad Request`. */
const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'Request Timeout',
};
/** The other side has gone: nobody reads an answer. */
const gone = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);
const route = 'unreadable';

/**
 * Passes requests to the app and answers input that never becomes a request: text that is not HTTP, headers over their size or
 * time, no Host, an unsupported expectation or method. Node would answer these by itself, without a body, a request id, a log
 * line or a metric.
 * @param server whose connections are followed by `OpenConnections`
 */
export function refuseUnreadable(server: Server, app: RequestListener, { logger, metrics }: RefuseUnreadableOptions): void {
  const durations = metrics && httpDurations(metrics);

  const note = (status: number, fields: object): void => {
    durations?.observe(0, { method: 'unknown', route, status });
    logger.info('request', { route, status, ...fields });
  };
  const answerRaw = (socket: Socket, code: ErrorCode, cause: string): void => {
    const { status, detail } = apiError(code);
    const requestId = randomUUID();
    const body = JSON.stringify({ detail });
    const headers = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`);
    socket.destroySoon();
    note(status, { request_id: requestId, detail: code, cause, address: socket.remoteAddress });
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(request, response, 'Bad Request', note);
    else app(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const underWay = connectionOf(socket)?.response;
    const isAnswered = underWay !== undefined && !underWay.writableFinished && underWay.headersSent;
    // A connection on which nothing was sent gets no answer.
    if (gone.has(error.code ?? '') || !socket.writable || socket.bytesRead === 0 || isAnswered) socket.destroy();
    else answerRaw(socket, codes[error.code ?? ''] ?? 'Bad Request', error.code ?? error.message);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => answerRaw(socket, 'Method Not Allowed', 'CONNECT'));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    refuse(request, response, 'Expectation Failed', note),
  );
}

/** Answers a request before any app sees it. */
function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  code: ErrorCode,
  note: (status: number, fields: object) => void,
): void {
  const { status, detail } = apiError(code);
  const requestId = requestIdOf(request.headers['x-request-id']);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-ID': requestId,
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(JSON.stringify({ detail }));
  note(status, { request_id: requestId, method: request.method, detail: code, address: callerAddress(0)(request) });
}
