import type { RequestListener } from 'node:http';
import { ingestRoutes } from '@sluice/contracts';
import { HttpError, type JsonShape, parseJson, readBody } from '@sluice/service-kit';
import { createFastHandler, type FastAnswer, type FastCall, type FastHandlerDeps } from '../http/fast-handler';
import type { LookUps } from '../limits/look-ups';
import type { Spender, WorkBudget } from '../limits/work-budget';
import type { PublishedConnector, PublishedSources } from '../sources/published-sources';
import type { AuthenticateCompat } from './authenticate-compat';
import type { CompatAnswer, CompatCalls, CompatContext } from './compat-calls';
import { compatError, compatErrorBody } from './compat-error';
import { type CompatPath, compatPath } from './compat-path';
import type { CompiledIngress, CompiledRoute } from '../sources/compiled-ingress';
import type { ForwardCompat } from './forward-compat';

const contract = ingestRoutes.compatIngest;
const { bodyLimit } = contract;

export interface CompatHandlerDeps extends FastHandlerDeps {
  published: PublishedSources;
  lookUps: LookUps<PublishedConnector>;
  authenticate: AuthenticateCompat;
  calls: CompatCalls;
  forward: ForwardCompat;
  budget: WorkBudget;
}

/** A call of an authenticated caller. */
interface Served {
  path: CompatPath;
  ingress: CompiledIngress;
  context: CompatContext;
}

/**
 * `POST /api/v1/compat/{connector_id}/...` on node:http: its paths have no regard to case and slashes, and its errors have the
 * shape of the service that Sluice replaces. The order of the checks: 404 without a profile, 405, 429 and 401, 404, then as the
 * event plane.
 */
export function createCompatHandler(deps: CompatHandlerDeps): RequestListener {
  return createFastHandler(deps, { contract, serve: (call) => serve(deps, call), errorBody: compatErrorBody });
}

async function serve(deps: CompatHandlerDeps, call: FastCall): Promise<FastAnswer> {
  const { request, requestId, trace } = call;
  const path = compatPath(request.url ?? '');
  if (path === null) throw compatError(404, 'Not found');
  const { connector, ingress } = await findIngress(deps, call, path.connectorId);
  const { connector_id, organization_id } = connector;
  call.facts = () => ({ organization_id, connector_id });
  if (request.method !== 'POST') throw compatError(405, 'Method Not Allowed', { Allow: 'POST' });
  const caller = { connectorId: connector_id, authHeader: ingress.authHeader, headers: request.headers, network: call.network() };
  const key = await deps.authenticate(caller);
  call.sender = connector_id;
  call.facts = () => ({ organization_id, connector_id, principal: `compat_key:${key}` });
  return serveKnown(deps, call, { path, ingress, context: { connector, ingress, requestId, trace } });
}

async function serveKnown(deps: CompatHandlerDeps, call: FastCall, served: Served): Promise<FastAnswer> {
  const { context, path: { target } } = served;
  switch (target.kind) {
    case 'check':
      call.route = ingestRoutes.compatCheck.name;
      deps.budget.countRead(context.connector.organization_id);
      return (await answerOf(deps.calls.check(context, target.callId))) ?? forwardOr404(deps, call, served, 'callId not found');
    case 'resend':
      call.route = ingestRoutes.compatResend.name;
      deps.budget.countRead(context.connector.organization_id);
      return (await answerOf(deps.calls.resend(context, target.action, target.callId)))
        ?? forwardOr404(deps, call, served, 'callId not found');
    case 'ingest': {
      const route = served.ingress.routes.get(target.path);
      return route ? ingest(deps, call, served, route) : forwardOr404(deps, call, served, 'Not found');
    }
  }
}

async function findIngress(
  { lookUps, published }: CompatHandlerDeps, call: FastCall, connectorId: string,
): Promise<PublishedConnector & { ingress: CompiledIngress }> {
  const known = published.peek(connectorId);
  const ask = async (): Promise<PublishedConnector | undefined> => {
    const found = await published.find(connectorId);
    return found?.ingress ? found : undefined;
  };
  const found = known?.ingress ? known : await lookUps.run(`compat ${connectorId}`, () => call.network(), ask);
  if (!found?.ingress) throw compatError(404, 'Not found');
  return { ...found, ingress: found.ingress };
}

async function ingest(deps: CompatHandlerDeps, call: FastCall, { context }: Served, route: CompiledRoute): Promise<FastAnswer> {
  const { budget } = deps;
  const { connector_id: connectorId, organization_id: organizationId } = context.connector;
  const spender: Spender = { organizationId, key: `compat ${connectorId}`, network: () => call.network() };
  budget.assertLeft(spender);
  let shape: JsonShape | null = null;
  try {
    const body = parseJson(await readBody(call.request, bodyLimit), (seen) => void (shape = seen));
    const answer = jsonAnswer(await deps.calls.ingest(context, route, body));
    budget.spend(spender, { shape, refused: false });
    return answer;
  } catch (error) {
    budget.spend(spender, { shape, refused: error instanceof HttpError && error.status < 500 });
    throw error;
  }
}

const jsonAnswer = ({ body, status }: CompatAnswer): FastAnswer => ({ status, text: JSON.stringify(body) });

async function answerOf(asked: Promise<CompatAnswer | null>): Promise<FastAnswer | null> {
  const answer = await asked;
  return answer && jsonAnswer(answer);
}

/** What Sluice does not know goes to the service that it replaces, while the profile says so. */
async function forwardOr404(
  deps: CompatHandlerDeps, { request }: FastCall, { context, ingress, path }: Served, message: string,
): Promise<FastAnswer> {
  if (ingress.fallback === null) throw compatError(404, message);
  const { authHeader, fallback: baseUrl } = ingress;
  const body = await readBody(request, bodyLimit);
  const type = request.headers['content-type'];
  const headers = {
    [authHeader]: String(request.headers[authHeader.toLowerCase()]), ...(type !== undefined && { 'Content-Type': type }),
  };
  return deps.forward({ connectorId: context.connector.connector_id, baseUrl, rest: path.rest, headers, body });
}
