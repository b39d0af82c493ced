import type { AssistantMessage, ModelMessage } from '@sluice/ports';
import { maskText } from '../tools/mask-text';

/** Characters of earlier messages that the model gets. */
const mostEarlier = 100_000;

/**
 * What the model gets of a conversation: the newest messages that fit, and the one of this turn. Results of tools of earlier
 * turns are not among them: it can ask again.
 * @param history the newest first
 */
export function conversation(history: readonly AssistantMessage[], content: string): ModelMessage[] {
  const earlier: ModelMessage[] = [];
  let length = 0;
  for (const { role, content: text } of history) {
    length += text.length;
    if (length > mostEarlier) break;
    const masked = maskText(text);
    earlier.unshift(role === 'user' ? { role, text: masked } : { role, text: masked, toolCalls: [] });
  }
  return [...earlier, { role: 'user', text: maskText(content) }];
}
