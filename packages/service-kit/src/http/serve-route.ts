import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { extractTrace, withSpan } from '../observe/tracing';
import { answerCheck, type AnswerCheck } from './check-answer';
import { requestCheck } from './check-request';
import type { HttpRoute, RouteInput, RouteReply } from './implement-route';
import { bodyReader, parseJson } from './read-json-body';
import { stateOf } from './request-state';

export interface ServeOptions {
  /** Bytes, for routes whose contract names no limit. */
  bodyLimit: number;
  validateAnswers: boolean;
}

/** The express handler of a route, in an order that never varies: who calls, size, JSON, schemas, handler. */
export function serveRoute(route: HttpRoute, options: ServeOptions): RequestHandler {
  const { contract } = route;
  const check = requestCheck(contract);
  const readBody = contract.body === undefined ? undefined : bodyReader(contract.bodyLimit ?? options.bodyLimit);
  const checkAnswer = options.validateAnswers ? answerCheck(contract) : undefined;

  async function serve(request: Request, response: Response): Promise<void> {
    const state = stateOf(response);
    state.route = contract.name;
    const principal = await route.authenticate?.(request, contract);
    const bodyBytes = readBody ? await readBody(request, response) : Buffer.alloc(0);
    const parts = check({ params: request.params, query: request.query, body: parseJson(bodyBytes) });
    const { requestId, logger, wide } = state;
    const input = { ...parts, principal, bodyBytes, requestId, logger, wide, request, response };
    send(response, await route.handler(input as unknown as RouteInput<typeof contract>), checkAnswer);
  }

  return (request: Request, response: Response, next: NextFunction) => {
    const attributes = { 'http.request.method': request.method, 'http.route': contract.path };
    void withSpan(contract.name, attributes, () => serve(request, response), extractTrace(request.headers)).catch(next);
  };
}

function send(response: Response, reply: RouteReply, checkAnswer: AnswerCheck | undefined): void {
  const broken = checkAnswer?.(reply);
  if (broken !== undefined) throw new Error(broken);
  response.status(reply.status).set({ ...reply.headers });
  if (reply.body === undefined) response.end();
  else if (reply.contentType) response.type(reply.contentType).send(reply.body);
  else response.json(reply.body);
}
