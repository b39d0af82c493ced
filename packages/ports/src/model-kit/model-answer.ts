import { type Model, ModelFailure, type ModelPart, type ModelRequest } from '../model';
import { type WatchedFetch, watchedFetch } from './watched-fetch';

/** One try of an answer. Throws what its SDK throws, and `ModelFailure` for an answer that ends too early. */
export type AskModel = (request: ModelRequest, watched: WatchedFetch) => AsyncIterable<ModelPart>;

export interface ModelAnswerOptions {
  /** Milliseconds without a byte. */
  idleMs: number;
  /** Milliseconds before the second and the third try, unless the server says when. */
  waitsMs?: readonly [number, number];
}

/** Longest `Retry-After` that is waited for, in milliseconds. */
const longestWaitMs = 20_000;
/** Characters of one answer: a longer one is broken off. */
export const maxAnswerLength = 400_000;

/** `Model.answer` of one try: repeats what is transient, bounds the answer, and tells timeouts apart. */
export function modelAnswer(ask: AskModel, { idleMs, waitsMs = [500, 2_000] }: ModelAnswerOptions): Model['answer'] {
  return async function* answer(request, signal) {
    for (let tries = 0; ; tries += 1) {
      const watched = watchedFetch(idleMs, signal);
      try {
        yield* bounded(ask(request, watched));
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (watched.timedOut()) throw new ModelFailure('timeout', 'the model server sent nothing for too long');
        const waitMs = waitsMs[tries];
        if (waitMs === undefined || watched.started() || !isTransient(error)) throw failureOf(error);
        watched.stop();
        await pause(retryAfterMs(error) ?? waitMs, signal);
      } finally {
        watched.stop();
      }
    }
  };
}

async function* bounded(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart> {
  let length = 0;
  for await (const part of parts) {
    if (part.kind === 'text') length += part.text.length;
    if (part.kind === 'tool_call') length += part.call.arguments.length;
    if (length > maxAnswerLength) throw new ModelFailure('failed', 'the model\'s answer is too long');
    yield part;
  }
}

const statusOf = (error: unknown): number | undefined => {
  const { status } = (error ?? {}) as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
};

/** Without a status the connection broke. Whether the answer had begun is the caller's to know. */
function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status === 429 || status >= 500;
  return !(error instanceof ModelFailure) || error.message === endedEarly;
}

/** An answer that ended without its end. */
export const endedEarly = 'the model server ended its answer too early';

/** The words of the server stay out: they may repeat the key or the conversation. */
function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const status = statusOf(error);
  if (status !== undefined) return new ModelFailure('failed', `the model server answered ${status}`);
  return new ModelFailure('failed', `the model server cannot be reached (${nameOf(error)})`);
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

function retryAfterMs(error: unknown): number | undefined {
  const { headers } = (error ?? {}) as { headers?: { get?(name: string): string | null } };
  const text = headers?.get?.('retry-after') ?? '';
  const seconds = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, longestWaitMs) : undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
