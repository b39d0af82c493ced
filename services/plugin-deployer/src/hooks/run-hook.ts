import type { RunContext } from '@sluice/background';
import {
  FenceLost, type FunctionAnswer, type FunctionPlatform, type HookWork, noteOfRun, type PluginRunStore, type PluginWorkStore,
} from '@sluice/ports';

export interface HookDeps {
  work: Pick<PluginWorkStore, 'beginHook' | 'hookSucceeded' | 'hookFailed'>;
  functions: Pick<FunctionPlatform, 'invoke'>;
  runs: Pick<PluginRunStore, 'note'>;
  /** Lines of its log that a plugin keeps of one hour. */
  linesPerHour: number;
}

/** The hook did not succeed. The message is for the plugin's owner and has no stack. */
export class HookError extends Error {
  override name = 'HookError';
}

type Context = Pick<RunContext, 'key' | 'fence' | 'isOwned' | 'logger'>;

/**
 * Tries a hook once; one that has ended already is left alone. The handler may run twice when the process ends in between.
 * Throws HookError when the handler threw, was over a bound, or could not be run.
 */
export async function runHook(deps: HookDeps, context: Context): Promise<void> {
  const { key: hookId, fence } = context;
  const hook = await deps.work.beginHook(fence, hookId);
  if (!hook) return;
  if (!context.isOwned()) throw new FenceLost(fence);
  const answer = await invoke(deps, hook);
  await note(deps, hook, answer, context);
  const error = errorOf(answer);
  if (error === null) return deps.work.hookSucceeded(fence, hookId, answer.kind === 'returned' ? answer.value : null);
  await deps.work.hookFailed(fence, hookId, error, false);
  throw new HookError(error);
}

function invoke({ functions }: HookDeps, hook: HookWork): Promise<FunctionAnswer> {
  const { function_arn: functionArn, version: qualifier, capabilities } = hook.coordinates;
  return functions.invoke({
    organizationId: hook.organizationId, functionArn, qualifier,
    payload: {
      schema_version: 1, hook_type: hook.hookType, connector_id: hook.connectorId, plugin_name: hook.pluginName,
      cycle: hook.cycle,
    },
    grants: { hosts: capabilities.http ?? [], secrets: [] },
  });
}

/** Adds the run to logs and metrics. It has happened, whether that can be stored or not. */
async function note(
  { runs, linesPerHour }: HookDeps, { coordinates, connectorId }: HookWork, answer: FunctionAnswer, { logger }: Context,
): Promise<void> {
  const run = noteOfRun(coordinates, { connectorId, eventId: null }, answer);
  if (!run) return;
  try {
    await runs.note([run], linesPerHour);
  } catch (error) {
    logger.warn('an invocation of a plugin was not noted', { error });
  }
}

function errorOf(answer: FunctionAnswer): string | null {
  switch (answer.kind) {
    case 'returned':
      return null;
    case 'threw':
    case 'limit':
    case 'interrupted':
      return answer.message;
    case 'busy':
      return 'too many plugins of the organization run now';
    case 'missing':
      return 'the function is not there any more';
  }
}
