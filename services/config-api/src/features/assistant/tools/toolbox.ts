import type { AssistantProposal, ModelTool, ModelToolCall } from '@sluice/ports';

/** What became of a tool call. */
export interface ToolOutcome {
  ok: boolean;
  /** For the model. */
  text: string;
  /** A code, where it is not ok. */
  error?: string;
  proposal?: Omit<AssistantProposal, 'status'>;
}

/** The tools of one turn. They work on one connector with the rights of one caller, whatever the model says. */
export interface Toolbox {
  definitions: readonly ModelTool[];
  /** The arguments as people are shown them. */
  shownArguments(call: ModelToolCall): Record<string, unknown>;
  run(call: ModelToolCall): Promise<ToolOutcome>;
}
