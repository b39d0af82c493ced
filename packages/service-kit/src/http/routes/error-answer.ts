import { BlobStoreUnavailable, InvalidCursor, KeyValueUnavailable, StoreUnavailable } from '@sluice/ports';
import { apiError, HttpError } from '../errors/http-error';
import { validationEntry } from '../validation/validation-entries';

/** An answer as plain data: express and node:http write it alike. `expected` is false for a bug, which must be logged. */
export interface ErrorAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { detail: unknown; request_id?: string };
  expected: boolean;
}

/**
 * The answer for an error. A store that cannot be reached is 503, a cursor that a list has not made 422; any other error
 * that is no HttpError or client error of express is a 500 without details.
 */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof HttpError)
    return { status: error.status, headers: error.headers, body: { detail: error.detail }, expected: true };
  if (error instanceof InvalidCursor)
    return { status: 422, headers: {}, body: { detail: [notOurs(error)] }, expected: true };
  if (isOutage(error)) return errorAnswer(apiError('service_unavailable', {}, { 'Retry-After': '1' }), requestId);
  const status = clientStatus(error);
  if (status !== undefined) return { status, headers: {}, body: { detail: words[status] ?? 'Bad Request' }, expected: true };
  return { status: 500, headers: {}, body: { detail: 'internal_error', request_id: requestId }, expected: false };
}

const notOurs = ({ cursor }: InvalidCursor) =>
  validationEntry('query', ['cursor'], 'value_error', 'Input should be a next_cursor that this list has answered', cursor);

const isOutage = (error: unknown): boolean =>
  [StoreUnavailable, KeyValueUnavailable, BlobStoreUnavailable].some((outage) => error instanceof outage);

const words: Record<number, string> = { 400: 'Bad Request' };

/**
 * Express and its body readers mark errors the client caused (bad percent-encoding, unknown encoding, cut body) with a 4xx
 * status.
 */
function clientStatus(error: unknown): number | undefined {
  const { status, expose } = (typeof error === 'object' && error !== null ? error : {}) as { status?: unknown; expose?: unknown };
  const isClients = typeof status === 'number' && status >= 400 && status < 500 && (expose === true || error instanceof URIError);
  return isClients ? status : undefined;
}
