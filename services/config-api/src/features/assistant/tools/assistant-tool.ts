import type { JsonSchema } from '@sluice/contracts';
import type { ToolDeps } from './tool-deps';
import type { CallerApi } from './caller-api';
import type { ToolOutcome } from './toolbox';

/** What a tool works with. The connector is the session's: no argument names another. */
export interface ToolContext {
  deps: ToolDeps;
  api: CallerApi;
  connectorId: string;
}

/** A tool of the assistant as a value. */
export interface AssistantTool {
  name: string;
  /** For the model. */
  description: string;
  /** Of the arguments, an object schema. */
  parameters: JsonSchema & object;
  /** @throws HttpError of a route that it calls: the model gets its code */
  run(context: ToolContext, args: Record<string, unknown>): Promise<ToolOutcome | object>;
}

/** No arguments. */
export const noParameters = { type: 'object', additionalProperties: false, properties: {} } as const;
