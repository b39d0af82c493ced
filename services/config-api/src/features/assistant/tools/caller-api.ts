import type { RouteContract } from '@sluice/contracts';
import type { Logger } from '@sluice/ports';
import { apiError, type HttpRoute, type RequestCheck, requestCheck, type RouteInput, type WideEvent } from '@sluice/service-kit';
import type { Request, Response } from 'express';
import type { Principal } from '../../../auth/principal';
import type { ToolDeps } from './tool-deps';

/** Who asked for a turn. */
export interface TurnCaller {
  /** The request that began it: its headers say who calls. */
  request: Request;
  requestId: string;
  address: string;
  logger: Logger;
  /** The organization of the session. */
  organizationId: string;
}

export interface RouteCall {
  params: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const checks = new WeakMap<RouteContract, RequestCheck>();

function checkOf(contract: RouteContract): RequestCheck {
  const check = checks.get(contract) ?? requestCheck(contract);
  checks.set(contract, check);
  return check;
}

/** Fields of the turn's log lines are its own. */
const unseen: WideEvent = { add: () => undefined, count: () => undefined, end: () => undefined };

/**
 * The routes of the API as the caller of a turn may call them. Each call authenticates the caller again: rights that were taken
 * away meanwhile, and sessions that ended, count at once.
 */
export class CallerApi {
  constructor(private readonly deps: Pick<ToolDeps, 'authenticate'>, private readonly caller: TurnCaller) {}

  /** The caller, if it may call the route now. Throws HttpError 401, 403, 409 or 429. */
  async authorize(contract: RouteContract): Promise<Principal> {
    const { request, requestId, address, organizationId } = this.caller;
    const principal = await this.deps.authenticate(request, { contract, requestId, address, wide: unseen });
    // A person may have made another organization active since the turn began.
    if (principal.organization.id !== organizationId) throw apiError('connector_not_found');
    return principal;
  }

  /** The body of the answer. Throws the route's HttpError. */
  async call(route: HttpRoute, { params, query = {}, body }: RouteCall): Promise<unknown> {
    const principal = await this.authorize(route.contract);
    const { request, requestId, address, logger } = this.caller;
    const checked = checkOf(route.contract)({ params, query, body });
    const reply = await route.handler({
      ...checked, principal, requestId, address, logger, wide: unseen, bodyBytes: Buffer.from(JSON.stringify(body) ?? ''),
      signal: new AbortController().signal, lastEventId: null, request, response: undefined as unknown as Response,
      form: undefined, upload: undefined,
    } as unknown as RouteInput<RouteContract, unknown>);
    const { body: answer } = reply;
    // What is costly to write comes as text.
    return typeof answer === 'string' || Buffer.isBuffer(answer) ? JSON.parse(answer.toString()) : answer;
  }
}
