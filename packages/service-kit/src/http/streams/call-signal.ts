import type { IncomingMessage, ServerResponse } from 'node:http';
import { openStreamsOf } from './open-streams';

/** Aborted when the caller has left, its answer has ended, or the server stops. */
export function callSignal(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const over = new AbortController();
  const { stopping } = openStreamsOf(request);
  const abort = (): void => over.abort();
  stopping.addEventListener('abort', abort, { once: true });
  response.once('close', () => {
    stopping.removeEventListener('abort', abort);
    abort();
  });
  if (stopping.aborted || response.closed) abort();
  return over.signal;
}
