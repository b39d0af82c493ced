import type { IncomingMessage, ServerResponse } from 'node:http';
import { bearerOf, requireScopes, requireToken, scopesOf } from './resolve-token';
import type { Fault } from '../state/faults';
import type { PortalState } from '../state/portal-state';
import type { SimulatorState } from '../state/simulator-state';
import type { Answer } from './answer';
import { canonicalPath } from './path-aliases';
import { problemAnswer, Refusal } from './refusal';
import { formBody } from './request-body';
import type { Call, Route } from './route';
import { routeLabel, type Match, type Router } from './router';

/** A request read completely. */
export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly queryText: string;
  readonly bytes: Buffer;
  readonly headers: IncomingMessage['headers'];
  readonly baseUrl: string;
}

/** How a call ended: with an answer, or with a cut connection. */
type Outcome = { readonly answer: Answer } | { readonly cut: true };

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Batch size of a request, for the call log; null when it is not a batch. */
function countInputs(path: string, rawBody: string): number | null {
  if (!path.includes('/batch/') || rawBody === '') return null;
  try {
    const body = JSON.parse(rawBody) as { inputs?: unknown } | null;
    return Array.isArray(body?.inputs) ? body.inputs.length : null;
  } catch {
    return null; // The handler refuses invalid JSON; the log has the text itself.
  }
}

/** Runs a handler; a Refusal is an answer, anything else is a bug and answers 500. */
async function guarded(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return problemAnswer(error.problem);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return problemAnswer({ status: 500, message: `simulator bug: ${message}` });
  }
}

function runRoute(sim: SimulatorState, route: Route, call: Call, authorization: string | undefined): Promise<Answer> {
  return guarded(async () => {
    if (route.auth === 'none') return route.handle(call);
    const token = requireToken(sim, authorization);
    const portal = sim.portals.get(token.portalId);
    if (route.auth === 'app') {
      requireScopes(scopesOf(portal, token), [[route.scope]]);
      return route.handle(call);
    }
    if (!portal)
      return problemAnswer({
        status: 401,
        category: 'INVALID_AUTHENTICATION',
        message: 'This token does not belong to an account.',
      });
    const limit = route.budget === 'none' ? undefined : portal.limits.admit(route.budget, sim.now());
    if (limit?.problem) {
      portal.stats.rejectedByLimit += 1;
      return problemAnswer(limit.problem, { ...limit.headers });
    }
    const portalCall = { ...call, portal };
    const done = await guarded(() => {
      requireScopes(portal.settings.scopes, route.scopes?.(portalCall) ?? []);
      return route.handle(portalCall);
    });
    return limit ? { ...done, headers: { ...limit.headers, ...done.headers } } : done;
  });
}

function faultAnswer(fault: Fault): Outcome | undefined {
  if (fault.drop) return { cut: true };
  if (fault.status === undefined) return undefined;
  const body = fault.body ?? {
    status: 'error',
    message: 'Injected by a fault',
    correlationId: '00000000-0000-4000-8000-000000000000',
    category: 'INTERNAL_ERROR',
  };
  return { answer: { status: fault.status, body: fault.status === 204 ? undefined : body, headers: fault.headers } };
}

async function perform(
  sim: SimulatorState,
  match: Match<Route> | undefined,
  router: Router<Route>,
  call: Call,
  request: ReadRequest,
  portal: PortalState | undefined,
): Promise<{ outcome: Outcome; faultId: string | null }> {
  const fault = sim.faults.strike({ portalId: portal?.portalId, method: request.method, path: request.path, body: call.rawBody });
  const delay = (portal?.settings.latencyMs ?? 0) + (fault?.delayMs ?? 0);
  if (delay > 0) await wait(delay);
  const faultId = fault?.faultId ?? null;
  const instead = fault && faultAnswer(fault);
  if (instead && !fault.afterWrite) return { outcome: instead, faultId };
  const answer = match
    ? await runRoute(sim, match.route, call, request.headers.authorization)
    : problemAnswer(
        router.knowsPath(canonicalPath(request.path))
          ? { status: 405, message: 'Method Not Allowed' }
          : { status: 404, message: 'resource not found' },
      );
  return { outcome: instead ?? { answer }, faultId };
}

/** The portal of a call: by access token, or by the refresh token in a token request. */
function portalOfCall(sim: SimulatorState, request: ReadRequest, rawBody: string): PortalState | undefined {
  const bearer = bearerOf(request.headers.authorization);
  if (bearer !== undefined) return sim.portals.get(sim.tokens.access(bearer)?.portalId ?? 0);
  if (!canonicalPath(request.path).startsWith('/oauth-')) return undefined;
  const refresh = formBody(rawBody).get('refresh_token');
  return refresh === null ? undefined : sim.portals.get(sim.tokens.refresh(refresh)?.portalId ?? 0);
}

/** Serves one call of the CRM's API: faults, latency, token, limits, scopes, handler; then counts and logs it. */
export async function serveCall(
  sim: SimulatorState,
  router: Router<Route>,
  request: ReadRequest,
  response: ServerResponse,
): Promise<void> {
  const match = router.match(request.method, canonicalPath(request.path));
  const contentType = request.headers['content-type'] ?? '';
  const rawBody = contentType.startsWith('multipart/') ? '' : request.bytes.toString('utf8');
  const portal = portalOfCall(sim, request, rawBody);
  const stats = portal?.stats ?? sim.unowned;
  const { calls } = sim;
  const call: Call = {
    sim,
    method: request.method,
    path: request.path,
    query: request.query,
    params: match?.params ?? {},
    rawBody,
    contentType,
    bytes: request.bytes,
    baseUrl: request.baseUrl,
  };
  const at = sim.now();
  stats.enter();
  const { outcome, faultId } = await perform(sim, match, router, call, request, portal);
  stats.leave();
  const status = 'cut' in outcome ? null : outcome.answer.status;
  stats.countCall(`${request.method} ${match ? routeLabel(match.route.path, request.path) : '(unknown)'}`, status ?? 0);
  calls.add({
    at,
    portalId: portal?.portalId ?? null,
    method: request.method,
    path: request.path,
    query: request.queryText,
    status,
    inputs: countInputs(request.path, rawBody),
    request: rawBody,
    faultId,
  });
  if ('cut' in outcome) response.destroy();
  else sendAnswer(response, outcome.answer);
}

/** Writes an answer; every body is JSON, but for the bytes of a file. */
export function sendAnswer(response: ServerResponse, { status, body, bytes, headers }: Answer): void {
  if (body === undefined && bytes === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const sent = bytes ?? Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, { 'Content-Type': 'application/json;charset=utf-8', 'Content-Length': sent.length, ...headers })
    .end(sent);
}
