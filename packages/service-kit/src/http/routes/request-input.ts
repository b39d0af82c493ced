import type { RouteContract } from '@sluice/contracts';
import type { Request, Response } from 'express';
import { callerNetwork } from '../request/caller-address';
import { apiError } from '../errors/http-error';
import type { Upload } from './implement-route';
import { bodyStream } from '../streams/body-stream';
import { openStreamsOf } from '../streams/open-streams';
import { type FormReader, formReaders } from '../streams/receive-form';
import { liftRequestTime } from '../streams/request-deadline';

/** The streamed parts of a request. */
export interface StreamedInput {
  form?: FormReader<RouteContract> | null;
  upload?: Upload;
}

/** The streamed body of a request, as its content type and the contract say; undefined: its body is JSON, or it has none. */
export type ReadStreamed = (request: Request, response: Response, address: string) => StreamedInput | undefined;

/**
 * The reader of a route's streamed bodies, which throws HttpError 415 for a content type that the contract does not take and 503
 * where too many streams are under way.
 */
export function streamedInput(contract: RouteContract): ReadStreamed {
  const { body, form, upload } = contract;
  if (!form && !upload) return () => undefined;
  const readForm = form && formReaders(contract, form);
  return (request, response, address) => {
    const contentType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (body !== undefined && (contentType === '' || /^application\/([\w.-]+\+)?json$/.test(contentType))) return undefined;
    const isForm = readForm && contentType === 'multipart/form-data';
    if (!isForm && !upload?.contentTypes.includes(contentType)) throw apiError('Unsupported content type');
    const streams = openStreamsOf(request);
    const stream = streams.enter(request.socket, callerNetwork(address));
    response.once('close', () => stream.leave());
    liftRequestTime(request, response);
    const { idleMs } = streams.limits;
    if (isForm) return { form: readForm(request, idleMs) };
    return { upload: { contentType, bytes: bodyStream(request, { maxBytes: upload?.maxBytes ?? 0, idleMs }) } };
  };
}
