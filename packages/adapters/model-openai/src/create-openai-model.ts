import { type Model, ModelFailure, type ModelPart, type ModelRequest, type ModelToolCall, type ModelUsage } from '@sluice/ports';
import { endedEarly, modelAnswer, type ModelAnswerOptions, type WatchedFetch } from '@sluice/ports/model-kit';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { chatMessages, chatTools } from './chat-messages';

export interface OpenAiModelOptions extends ModelAnswerOptions {
  apiKey: string;
  /** What stands before `/chat/completions`. */
  baseUrl: string;
  model: string;
}

/** Chat completions of OpenAI, and of servers that are compatible with it. */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  return { answer: modelAnswer((request, watched) => ask(options, request, watched), options) };
}

async function* ask(options: OpenAiModelOptions, request: ModelRequest, watched: WatchedFetch): AsyncIterable<ModelPart> {
  // Loaded with the first question: a process without conversations does not keep its code in memory.
  const { default: OpenAI } = await import('openai');
  const client = new OpenAI({
    apiKey: options.apiKey, baseURL: options.baseUrl, maxRetries: 0, fetch: watched.fetch,
    // Not taken from the environment of the process.
    organization: null, project: null,
  });
  const tools = request.tools.length === 0 ? {} : { tools: chatTools(request.tools) };
  const chunks = await client.chat.completions.create(
    {
      model: options.model, messages: chatMessages(request), ...tools, stream: true,
      stream_options: { include_usage: true },
    },
    { signal: watched.signal },
  );
  yield* partsOf(chunks);
}

async function* partsOf(chunks: AsyncIterable<ChatCompletionChunk>): AsyncIterable<ModelPart> {
  const calls = new Map<number, ModelToolCall>();
  let usage: ModelUsage | null = null;
  let ended = false;
  for await (const chunk of chunks) {
    if (chunk.usage) usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens };
    const [choice] = chunk.choices ?? [];
    if (!choice) continue;
    const { content, tool_calls: pieces } = choice.delta ?? {};
    if (content) yield { kind: 'text', text: content };
    for (const piece of pieces ?? []) addPiece(calls, piece);
    ended ||= choice.finish_reason != null;
  }
  if (!ended) throw new ModelFailure('failed', endedEarly);
  for (const call of calls.values()) yield { kind: 'tool_call', call };
  yield { kind: 'end', usage };
}

type Piece = NonNullable<ChatCompletionChunk.Choice.Delta['tool_calls']>[number];

/** The pieces of a call have its place; the id and the name come with the first. */
function addPiece(calls: Map<number, ModelToolCall>, piece: Piece): void {
  const call = calls.get(piece.index) ?? { id: '', name: '', arguments: '' };
  calls.set(piece.index, {
    id: call.id || (piece.id ?? ''), name: call.name || (piece.function?.name ?? ''),
    arguments: call.arguments + (piece.function?.arguments ?? ''),
  });
}
