/** A call of a tool that the model asks for. */
export interface ModelToolCall {
  /** The model's name of the call; its result carries it. */
  id: string;
  name: string;
  /** JSON as the model wrote it: it may be no JSON at all. */
  arguments: string;
}

/** The result of one tool call, as text. */
export interface ModelToolResult {
  id: string;
  name: string;
  text: string;
  ok: boolean;
}

/** One message of a conversation, oldest first. Every tool call is followed by its result in the next message. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: readonly ModelToolCall[] }
  | { role: 'tool'; results: readonly ModelToolResult[] };

/** A tool that the model may ask for. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, an object schema. */
  parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  system: string;
  messages: readonly ModelMessage[];
  /** Empty: the model answers with words only. */
  tools: readonly ModelTool[];
  /** Tokens that the answer may have. */
  maxOutputTokens: number;
}

/** Tokens that one answer has used. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
}

/** What arrives of an answer. Text comes in pieces, a tool call as a whole, `end` once and last. */
export type ModelPart =
  | { kind: 'text'; text: string }
  | { kind: 'tool_call'; call: ModelToolCall }
  /** @property usage null: the server did not say */
  | { kind: 'end'; usage: ModelUsage | null };

/**
 * The model did not answer, or not to the end. `timeout`: no byte arrived for the configured time. The message is for the log of
 * an operator; it holds no key and nothing of the conversation.
 */
export class ModelFailure extends Error {
  override name = 'ModelFailure';

  constructor(readonly reason: 'failed' | 'timeout', message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** A language model. */
export interface Model {
  /**
   * Answers a conversation, in parts as they arrive. Answers 429 and 5xx and connections that broke before the first byte are
   * tried again, three times in all; nothing else is.
   * @throws ModelFailure; the reason of the signal when it is aborted
   */
  answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
