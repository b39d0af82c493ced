import type { MessageParam, Tool, ToolUseBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { ModelMessage, ModelTool, ModelToolCall } from '@sluice/ports';

/** A conversation on the wire of the messages API, which refuses empty texts and empty messages. */
export const messageParams = (messages: readonly ModelMessage[]): MessageParam[] =>
  messages.map(messageParam).filter(({ content }) => content.length > 0);

function messageParam(message: ModelMessage): MessageParam {
  switch (message.role) {
    case 'user': return { role: 'user', content: message.text };
    case 'assistant': {
      const words = message.text.trim() === '' ? [] : [{ type: 'text' as const, text: message.text }];
      return { role: 'assistant', content: [...words, ...message.toolCalls.map(toolUse)] };
    }
    case 'tool': return {
      role: 'user',
      content: message.results.map(({ id, text, ok }) =>
        ({ type: 'tool_result' as const, tool_use_id: id, content: text, ...(ok ? {} : { is_error: true }) })),
    };
  }
}

const toolUse = ({ id, name, arguments: text }: ModelToolCall): ToolUseBlockParam =>
  ({ type: 'tool_use', id, name, input: objectOf(text) });

/** Arguments that were no JSON object were refused; the model is told so in the result. */
function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The tools. */
export const toolParams = (tools: readonly ModelTool[]): Tool[] => tools.map(
  ({ name, description, parameters }) => ({ name, description, input_schema: { ...parameters, type: 'object' } }));
