import type { AssistantStore, ConfigStore } from '@sluice/ports';
import type { ToolDeps } from './tools/tool-deps';
import type { AssistantTurns } from './turns/assistant-turns';

/** What the routes of the assistant work with. */
export interface AssistantDeps extends ToolDeps {
  store: ToolDeps['store'] & Pick<ConfigStore, 'organizations'>;
  assistant: AssistantStore;
  /** null: the installation has no key of a model. */
  assistantTurns: AssistantTurns | null;
}
