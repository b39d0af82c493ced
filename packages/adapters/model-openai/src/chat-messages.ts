import type { ModelMessage, ModelRequest, ModelTool } from '@sluice/ports';
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';

/** A conversation on the wire of chat completions. */
export function chatMessages({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>): ChatCompletionMessageParam[] {
  return [{ role: 'system', content: system }, ...messages.flatMap(chatMessage)];
}

function chatMessage(message: ModelMessage): ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'user': return [{ role: 'user', content: message.text }];
    case 'tool': return message.results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }));
    case 'assistant': {
      const calls = message.toolCalls.map(({ id, name, arguments: text }) =>
        ({ id, type: 'function' as const, function: { name, arguments: text } }));
      return [{
        role: 'assistant', content: message.text === '' ? null : message.text,
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
      }];
    }
  }
}

/** The tools, as functions. */
export const chatTools = (tools: readonly ModelTool[]): ChatCompletionFunctionTool[] => tools.map(
  ({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters: { ...parameters } } }));
