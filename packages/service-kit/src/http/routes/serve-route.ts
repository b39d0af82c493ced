import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { extractTrace, withSpan } from '../../observe/tracing';
import { answerCheck, type AnswerCheck } from './check-answer';
import { requestCheck } from '../validation/check-request';
import type { CallContext, HttpRoute, RouteInput, RouteReply } from './implement-route';
import { parseJson } from '../request/parse-json';
import { assertContentCoding, readBody } from '../request/read-body';
import { stateOf } from '../request/request-state';
import { callSignal } from '../streams/call-signal';
import { streamedInput } from './request-input';
import { sendStream } from './send-stream';

export interface ServeOptions {
  /** Bytes, for routes whose contract names no limit. */
  bodyLimit: number;
  validateAnswers: boolean;
}

/**
 * The express handler of a route, always in this order: authentication, size, JSON, schemas, handler. A streamed body is read by
 * the handler itself.
 */
export function serveRoute(route: HttpRoute, options: ServeOptions): RequestHandler {
  const { contract } = route;
  const check = requestCheck(contract);
  const bodyLimit = contract.bodyLimit ?? options.bodyLimit;
  const checkAnswer = options.validateAnswers ? answerCheck(contract) : undefined;
  const readStreamed = streamedInput(contract);
  const stream = sendStream(contract, options.validateAnswers);

  async function serve(request: Request, response: Response): Promise<void> {
    const state = stateOf(response);
    state.route = contract.name;
    // An answer is only for its caller, and may contain a token or a secret: it must not be cached.
    response.setHeader('Cache-Control', 'no-store');
    const { requestId, address, wide } = state;
    const context: CallContext = { contract, requestId, address, wide };
    const work = (): Promise<RouteReply> => reply(request, response, context);
    const answer = await (route.around ? route.around(request, context, work) : work());
    if (answer.file || answer.events) await stream(request, response.set({ ...answer.headers }), answer);
    else send(response, answer, checkAnswer);
  }

  async function reply(request: Request, response: Response, context: CallContext): Promise<RouteReply> {
    const { requestId, address, logger, wide } = stateOf(response);
    const principal = await route.authenticate?.(request, context);
    // A route without a body refuses what no route can read as well, so that an unknown coding never goes unnoticed.
    if (contract.body === undefined) assertContentCoding(request);
    const streamed = readStreamed(request, response, address);
    const bodyBytes = contract.body === undefined || streamed ? Buffer.alloc(0) : await readBody(request, bodyLimit);
    const parts = check({ params: request.params, query: request.query, body: parseJson(bodyBytes) }, streamed !== undefined);
    const { form = contract.form && null, upload } = streamed ?? {};
    const lastEventId = request.get('last-event-id') ?? null;
    const input = {
      principal, bodyBytes, requestId, address, logger, wide, request, response, form, upload, lastEventId, ...parts,
      get signal() { return callSignal(request, response); },
    };
    return route.handler(input as unknown as RouteInput<typeof contract>);
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
