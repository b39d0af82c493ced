import type { Model, ModelPart, ModelRequest, ModelUsage } from '../../model';
import { ModelFailure } from '../../model';

/** One answer that a scripted model plays. */
export interface PlayedAnswer {
  /** Pieces of text. */
  text?: readonly string[];
  calls?: readonly { name: string; arguments: object | string }[];
  /** Default: 10 tokens in and 5 out; null: the server does not say. */
  usage?: ModelUsage | null;
  /** Instead of an end. */
  fails?: 'failed' | 'timeout';
  /** What the answer waits for before it ends. */
  until?: Promise<unknown>;
}

/** A model that plays a script, and keeps every request that it got. Without an answer left it says `done`. */
export interface ScriptedModel extends Model {
  readonly requests: ModelRequest[];
  play(...answers: (PlayedAnswer | ((request: ModelRequest) => PlayedAnswer))[]): void;
}

export function createScriptedModel(): ScriptedModel {
  const requests: ModelRequest[] = [];
  const script: (PlayedAnswer | ((request: ModelRequest) => PlayedAnswer))[] = [];
  let calls = 0;
  return {
    requests,
    play: (...answers) => void script.push(...answers),
    async *answer(request, signal): AsyncIterable<ModelPart> {
      requests.push(structuredClone(request));
      const next = script.shift() ?? { text: ['done'] };
      const { text = [], calls: asked = [], usage = { inputTokens: 10, outputTokens: 5 }, fails, until } =
        typeof next === 'function' ? next(request) : next;
      for (const piece of text) yield { kind: 'text', text: piece };
      if (until) await Promise.race([until, aborted(signal)]);
      signal.throwIfAborted();
      if (fails) throw new ModelFailure(fails, 'as scripted');
      for (const { name, arguments: given } of asked) {
        calls += 1;
        const call = { id: `call_${calls}`, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
        yield { kind: 'tool_call', call };
      }
      yield { kind: 'end', usage };
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => { signal.addEventListener('abort', () => resolve(), { once: true }); });
