/** The requests of one answer, watched for silence. */
export interface WatchedFetch {
  fetch: typeof globalThis.fetch;
  /** Aborted when nothing arrived for the time limit, or when the caller's signal is. */
  signal: AbortSignal;
  /** Whether the server was silent for too long. */
  timedOut(): boolean;
  /** Whether any byte of an answer's body arrived. */
  started(): boolean;
  /** To be called when the answer is over. */
  stop(): void;
}

/**
 * A `fetch` that gives up when no byte arrives for `idleMs`. SDKs have limits for a whole request only; an answer may take
 * minutes as long as it goes on. A redirect is an error, because headers with a key must not follow it.
 */
export function watchedFetch(idleMs: number, outer: AbortSignal): WatchedFetch {
  const silence = new AbortController();
  const signal = AbortSignal.any([outer, silence.signal]);
  let hasStarted = false;
  const timer = setTimeout(() => silence.abort(), idleMs);
  const watch = (): TransformStream<Uint8Array, Uint8Array> => new TransformStream({
    transform(piece, controller) {
      hasStarted = true;
      timer.refresh();
      controller.enqueue(piece);
    },
  });
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, { ...init, signal, redirect: 'error' });
      timer.refresh();
      if (response.body === null || !response.ok) return response;
      const { status, statusText, headers } = response;
      return new Response(response.body.pipeThrough(watch()), { status, statusText, headers });
    },
    signal,
    timedOut: () => silence.signal.aborted && !outer.aborted,
    started: () => hasStarted,
    stop: () => clearTimeout(timer),
  };
}
