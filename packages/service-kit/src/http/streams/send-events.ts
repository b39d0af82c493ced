import type { Response } from 'express';
import { drained } from './drained';
import type { ServerEvent, StreamProgress } from './stream-reply';

export interface EventSending {
  heartbeatMs: number;
  /** Milliseconds that the caller may let pass without reading. */
  idleMs: number;
  /** Aborted when the server stops: the stream ends, and a caller that wants more asks again with `Last-Event-ID`. */
  stopping: AbortSignal;
  /** Is kept up to date. */
  progress: StreamProgress;
}

/**
 * Sends events as they come (WHATWG HTML, server-sent events), with a comment where none came for a while, so that nobody between
 * closes a silent connection. The next event is asked for when the caller has taken the last one.
 * @throws what the source throws, with the connection cut
 */
export async function sendEvents(response: Response, events: AsyncIterable<ServerEvent>, sending: EventSending): Promise<void> {
  const { progress, stopping } = sending;
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // nginx and its like would collect the events otherwise.
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  const heartbeat = setInterval(() => void (response.writableNeedDrain || response.write(':\n\n')), sending.heartbeatMs);
  const over = new AbortController();
  const ended = new Promise<'over'>((resolve) => { over.signal.addEventListener('abort', () => resolve('over')); });
  const stop = (): void => {
    progress.end = 'server_stopping';
    over.abort();
  };
  response.once('close', () => over.abort());
  stopping.addEventListener('abort', stop, { once: true });
  const source = events[Symbol.asyncIterator]();
  try {
    if (stopping.aborted) return stop();
    for (let open = true; open; ) {
      const next = await Promise.race([source.next(), ended]);
      if (next === 'over') return;
      if (next.done) return void (progress.end = 'complete');
      response.write(eventText(next.value));
      progress.sent += 1;
      heartbeat.refresh();
      open = await isTaken(response, sending);
    }
  } catch (error) {
    progress.end = 'failed';
    response.destroy();
    throw error;
  } finally {
    clearInterval(heartbeat);
    stopping.removeEventListener('abort', stop);
    // Not awaited: a source that waits for its next event ends when its signal is aborted.
    source.return?.().then(undefined, () => undefined);
    response.end();
  }
}

async function isTaken(response: Response, { idleMs, progress }: EventSending): Promise<boolean> {
  const state = await drained(response, idleMs);
  if (state === 'stalled') progress.end = 'caller_stalled';
  return state === 'open';
}

/** @throws Error for a line break in a field: a bug, because a caller could not tell the field's end */
function eventText({ id, event, data }: ServerEvent): string {
  if (/[\r\n\0]/.test(`${id ?? ''}${event}`)) throw new Error('an event has a line break in its id or name');
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
