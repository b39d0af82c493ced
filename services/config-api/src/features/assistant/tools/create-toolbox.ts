import { type ModelToolCall, StoreUnavailable } from '@sluice/ports';
import { HttpError, schemaCompilers, validationEntries } from '@sluice/service-kit';
import type { ToolDeps } from './tool-deps';
import type { AssistantTool, ToolContext } from './assistant-tool';
import { CallerApi, type TurnCaller } from './caller-api';
import { crmProperties } from './crm-properties';
import { cutText } from './cut-text';
import { dryRun } from './dry-run';
import { explainErrors } from './explain-errors';
import { payloadShapes } from './payload-shapes';
import { preflight } from './preflight';
import { proposePatch } from './propose-patch';
import { readCatalog } from './read-catalog';
import { readConfig } from './read-config';
import type { Toolbox, ToolOutcome } from './toolbox';

/**
 * Every tool of the assistant. None publishes, replays, touches credentials, keys or members, or takes a connector or an address:
 * a test compares the list.
 */
export const assistantTools: readonly AssistantTool[] = [
  readConfig, readCatalog, preflight, payloadShapes, crmProperties, proposePatch, dryRun, explainErrors,
];

const tools = new Map(assistantTools.map((tool) => [tool.name, { tool, check: schemaCompilers.json(tool.parameters) }]));

const definitions = assistantTools.map(({ name, description, parameters }) =>
  ({ name, description, parameters: { ...parameters } }));

/** The tools for one turn. */
export function createToolbox(deps: ToolDeps, { connectorId, ...caller }: TurnCaller & { connectorId: string }): Toolbox {
  const context: ToolContext = { deps, connectorId, api: new CallerApi(deps, caller) };
  return {
    definitions,
    shownArguments: (call) => argumentsOf(call) ?? {},
    run: async (call) => {
      try {
        return await runTool(context, call);
      } catch (error) {
        if (error instanceof HttpError) return refused(error);
        if (error instanceof StoreUnavailable)
          return failed('service_unavailable', 'A part that is needed cannot be reached now.');
        caller.logger.error('a tool of the assistant failed', { tool: call.name.slice(0, 64), error });
        return failed('internal_error', 'The tool failed.');
      }
    },
  };
}

async function runTool(context: ToolContext, call: ModelToolCall): Promise<ToolOutcome> {
  const found = tools.get(call.name);
  if (!found) return failed('unknown_tool', `There is no such tool. The tools are: ${[...tools.keys()].join(', ')}.`);
  const args = argumentsOf(call);
  if (!args) return failed('invalid_arguments', 'The arguments are no JSON object.');
  if (!found.check(args)) {
    const problems = validationEntries(found.check.errors, 'body', args).map(({ loc, msg }) => ({ at: loc.slice(1), msg }));
    return failed('invalid_arguments', JSON.stringify({ problems }));
  }
  const answer = await found.tool.run(context, args);
  return isOutcome(answer) ? { ...answer, text: cutText(answer.text) } : { ok: true, text: cutText(JSON.stringify(answer)) };
}

const isOutcome = (answer: ToolOutcome | object): answer is ToolOutcome => 'ok' in answer && 'text' in answer;
const failed = (error: string, text: string): ToolOutcome => ({ ok: false, error, text: cutText(text) });

function argumentsOf({ arguments: text }: ModelToolCall): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The answer of a route: its code, and of a 422 what is wrong, without the values that were sent. */
function refused({ status, detail }: HttpError): ToolOutcome {
  if (Array.isArray(detail)) {
    const errors = (detail as { type: string; loc: unknown; msg: string }[]).map(({ type, loc, msg }) => ({ type, loc, msg }));
    return failed('validation', JSON.stringify({ status, errors }));
  }
  const { error, code } = (typeof detail === 'object' && detail !== null ? detail : {}) as { error?: unknown; code?: unknown };
  const word = String(error ?? code ?? (typeof detail === 'string' ? detail : status));
  return failed(word, JSON.stringify({ status, error: word }));
}
