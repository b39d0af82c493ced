import type { RequestListener } from 'node:http';
import { ingestRoutes } from '@sluice/contracts';
import { HttpError, type JsonShape, parseJson, readBody } from '@sluice/service-kit';
import type { AuthenticateKey } from '../connectors/authenticate-key';
import { keyPrincipal } from '../connectors/key-principal';
import { checkEvent } from '../events/check-event';
import { createFastHandler, type FastCall, type FastHandlerDeps } from '../http/fast-handler';
import type { CallerTurns } from '../limits/caller-turns';
import type { WorkBudget } from '../limits/work-budget';
import type { AcceptEvent } from './accept-event';
import type { AcceptedEvent } from './idempotency-cache';

const contract = ingestRoutes.acceptEvent;

export interface AcceptHandlerDeps extends FastHandlerDeps {
  authenticate: AuthenticateKey;
  accept: AcceptEvent;
  budget: WorkBudget;
  turns: CallerTurns;
}

/** `POST /api/v1/events`. */
export function createAcceptHandler(deps: AcceptHandlerDeps): RequestListener {
  return createFastHandler(deps, {
    contract,
    serve: async (call) => ({ status: 202, text: acceptedText(await acceptCall(deps, call)) }),
  });
}

async function acceptCall(deps: AcceptHandlerDeps, call: FastCall): Promise<AcceptedEvent> {
  const { budget, turns } = deps;
  const { network, request, requestId, trace } = call;
  const header = request.headers['x-api-key'];
  const known = deps.authenticate(header, network);
  const connector = known instanceof Promise ? await known : known;
  const { organization_id, connector_id } = connector;
  call.facts = () => ({ organization_id, connector_id, principal: keyPrincipal(connector, header) });
  call.sender = connector_id;
  const spender = { organizationId: organization_id, key: String(header), network };
  // Checked before the body is read, because the cost of a body is known only after it was parsed.
  budget.assertLeft(spender);
  let shape: JsonShape | null = null;
  try {
    const bytes = await readBody(request, contract.bodyLimit);
    // A caller that was refused recently may be flooding us: it takes turns.
    if (budget.owes(organization_id)) await turns.next(network());
    const body = parseJson(bytes, (seen) => void (shape = seen));
    const accepted = await deps.accept(connector, checkEvent(body, request.headers), { requestId, trace });
    budget.spend(spender, { shape, refused: false });
    return accepted;
  } catch (error) {
    budget.spend(spender, { shape, refused: error instanceof HttpError && error.status < 500 });
    throw error;
  }
}

function acceptedText({ event_id, entities_count, hint }: AcceptedEvent): string {
  return `{"event_id":"${event_id}","status":"processing","entities_count":${entities_count},"hint":${hint === null ? 'null' : JSON.stringify(hint)}}`;
}
