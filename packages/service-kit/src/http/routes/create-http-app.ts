import type { Logger } from '@sluice/ports';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Metrics } from '../../observe/create-metrics';
import { beginRequest } from '../request/begin-request';
import { callerAddress } from '../request/caller-address';
import { errorAnswer } from './error-answer';
import { hideTokens } from '../request/hide-tokens';
import { apiError } from '../errors/http-error';
import type { HttpRoute } from './implement-route';
import { defaultBodyLimit } from '../request/read-body';
import { stateOf } from '../request/request-state';
import { byPath } from './route-order';
import { serveRoute } from './serve-route';

export interface HttpAppOptions {
  routes: readonly HttpRoute[];
  logger: Logger;
  /** Given: the request histogram. */
  metrics?: Metrics;
  /** Bytes, for routes whose contract names no limit of its own. */
  bodyLimit?: number;
  /** Number of proxies in front whose `X-Forwarded-*` headers are trusted. Default 0: none. */
  trustProxy?: number;
  /** Handlers before the routes, for example a cookie parser. */
  before?: readonly RequestHandler[];
  /** Adds handlers without a contract (documentation pages), after the routes. */
  mount?(app: Express): void;
  /** For tests: an answer against its contract is a 500 with the details in the log and in `detail`. */
  validateAnswers?: boolean;
}

/**
 * The express app of a service, from its routes alone. Every answer carries `X-Request-ID`; an error's body is
 * `{detail}` (docs/reference/errors.md). One log line per request.
 */
export function createHttpApp(options: HttpAppOptions): Express {
  const { routes, logger, metrics, validateAnswers = false } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', options.trustProxy ?? 0);
  const addressOf = callerAddress(options.trustProxy ?? 0);
  const begin = beginRequest({ logger, metrics, addressOf, loggedPath: hideTokens(routes) });
  app.use(begin, securityHeaders(), ...(options.before ?? []));
  const groups = byPath(routes);
  for (const { path, routes: siblings } of groups) {
    for (const route of siblings)
      app[route.contract.method](path, serveRoute(route, { bodyLimit: options.bodyLimit ?? defaultBodyLimit, validateAnswers }));
  }
  options.mount?.(app);
  for (const { path, routes: siblings } of groups) app.all(path, methodNotAllowed(siblings));
  app.use(notFound, answerError(validateAnswers));
  return app;
}

/** Helmet's own choice but one: where the product is served over plain HTTP, its pages must not ask for HTTPS. */
function securityHeaders(): RequestHandler {
  return helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
}

function methodNotAllowed(siblings: readonly HttpRoute[]): RequestHandler {
  const methods = siblings.map(({ contract }) => contract.method.toUpperCase());
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : [])])].sort().join(', ');
  return (_request, response) => {
    stateOf(response).route = 'method_not_allowed';
    throw apiError('Method Not Allowed', {}, { Allow: allow });
  };
}

const notFound: RequestHandler = (_request, response) => {
  stateOf(response).route = 'not_found';
  throw apiError('Not Found');
};

/** Four parameters: that is how express knows an error handler. */
function answerError(showBugs: boolean): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const { requestId, logger, wide } = stateOf(response);
    const answer = errorAnswer(error, requestId);
    if (!answer.expected) logger.error('unexpected error', { error });
    wide.add({ detail: errorWords(answer.body.detail) });
    if (answer.expected && answer.status >= 500 && error instanceof Error) wide.add({ cause: error.message });
    if (response.headersSent) return void response.destroy();
    const body = showBugs && !answer.expected && error instanceof Error ? { ...answer.body, bug: error.message } : answer.body;
    response.status(answer.status).set({ ...answer.headers }).json(body);
  };
}

/** For the log line: the code of an error, or the number of validation entries, without any content of the request. */
function errorWords(detail: unknown): string {
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return `${detail.length} validation entries`;
  const { error, code } = (detail ?? {}) as { error?: unknown; code?: unknown };
  return String(error ?? code ?? 'unknown');
}
