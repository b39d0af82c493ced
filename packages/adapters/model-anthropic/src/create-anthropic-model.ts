import type Anthropic from '@anthropic-ai/sdk';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { type Model, ModelFailure, type ModelPart, type ModelRequest, type ModelToolCall, type ModelUsage } from '@sluice/ports';
import { endedEarly, modelAnswer, type ModelAnswerOptions, type WatchedFetch } from '@sluice/ports/model-kit';
import { messageParams, toolParams } from './message-params';

export interface AnthropicModelOptions extends ModelAnswerOptions {
  apiKey: string;
  /** What stands before `/v1/messages`. */
  baseUrl: string;
  model: string;
}

/** Anthropic's messages. */
export function createAnthropicModel(options: AnthropicModelOptions): Model {
  return { answer: modelAnswer((request, watched) => ask(options, request, watched), options) };
}

async function* ask(options: AnthropicModelOptions, request: ModelRequest, watched: WatchedFetch): AsyncIterable<ModelPart> {
  // Loaded with the first question: a process without conversations does not keep its code in memory.
  const { default: Client } = await import('@anthropic-ai/sdk');
  const client = new Client({
    apiKey: options.apiKey, baseURL: options.baseUrl, maxRetries: 0, fetch: watched.fetch,
    // Not taken from the environment of the process.
    authToken: null,
  });
  const tools = request.tools.length === 0 ? {} : { tools: toolParams(request.tools) };
  const events = await client.messages.create(
    {
      model: options.model, system: request.system, messages: messageParams(request.messages), ...tools,
      max_tokens: request.maxOutputTokens, stream: true,
    },
    { signal: watched.signal },
  );
  yield* partsOf(events);
}

async function* partsOf(events: AsyncIterable<RawMessageStreamEvent>): AsyncIterable<ModelPart> {
  const calls = new Map<number, ModelToolCall>();
  const usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  for await (const event of events) {
    if (event.type === 'message_start') usage.inputTokens = inputTokens(event.message.usage);
    if (event.type === 'message_delta') usage.outputTokens = event.usage?.output_tokens ?? usage.outputTokens;
    if (event.type === 'content_block_start') {
      const block = event.content_block;
      if (block.type === 'tool_use') calls.set(event.index, { id: block.id, name: block.name, arguments: '' });
      if (block.type === 'text' && block.text !== '') yield { kind: 'text', text: block.text };
    }
    if (event.type === 'content_block_delta') {
      const { delta, index } = event;
      if (delta.type === 'text_delta') yield { kind: 'text', text: delta.text };
      const call = delta.type === 'input_json_delta' ? calls.get(index) : undefined;
      if (call && delta.type === 'input_json_delta')
        calls.set(index, { ...call, arguments: call.arguments + delta.partial_json });
    }
    if (event.type === 'message_stop') {
      for (const call of calls.values()) yield { kind: 'tool_call', call };
      return yield { kind: 'end', usage: usage.inputTokens + usage.outputTokens === 0 ? null : usage };
    }
  }
  throw new ModelFailure('failed', endedEarly);
}

/** Tokens that came out of a cache count too. */
function inputTokens(usage: Anthropic.Usage | undefined): number {
  return (usage?.input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0);
}
