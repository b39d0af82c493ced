import type { Model, ModelRequest, ModelToolCall, ModelUsage } from '@sluice/ports';
import { inputEstimate, tokenEstimate } from './model-budget';

export interface ModelAnswered {
  text: string;
  calls: ModelToolCall[];
  usage: ModelUsage;
}

/** Tool calls of one answer that are looked at. */
const mostCalls = 200;

/**
 * One answer of the model as a whole; its words are told as they arrive.
 * @throws ModelFailure
 */
export async function askModel(
  model: Model, request: ModelRequest, onText: (text: string) => void, signal: AbortSignal,
): Promise<ModelAnswered> {
  const calls: ModelToolCall[] = [];
  let [text, usage]: [string, ModelUsage | null] = ['', null];
  for await (const part of model.answer(request, signal)) {
    if (part.kind === 'text') {
      text += part.text;
      onText(part.text);
    } else if (part.kind === 'tool_call') calls.push(part.call);
    else ({ usage } = part);
  }
  const given = calls.slice(0, mostCalls);
  const estimate = () => ({ inputTokens: inputEstimate(request), outputTokens: outputEstimate(text, given) });
  return { text, calls: given, usage: usage ?? estimate() };
}

const outputEstimate = (text: string, calls: readonly ModelToolCall[]): number =>
  tokenEstimate(text.length + calls.reduce((sum, call) => sum + call.arguments.length, 0));
