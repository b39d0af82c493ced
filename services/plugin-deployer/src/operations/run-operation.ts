import type { RunContext } from '@sluice/background';
import {
  FenceLost, type FunctionName, type FunctionPlatform, FunctionPlatformUnavailable, type PluginOperation, type PluginWorkStore,
  StoreUnavailable,
} from '@sluice/ports';

export interface OperationDeps {
  work: Pick<
    PluginWorkStore,
    'nextOperation' | 'bundle' | 'noteFunction' | 'postpone' | 'deployed' | 'published' | 'usersOf' | 'rollOut' | 'promoted' | 'failed'
  >;
  functions: Pick<FunctionPlatform, 'arnOf' | 'deploy' | 'publish'>;
  /** Waits while the platform cannot be reached: there is one try more than waits. */
  retryWaitsMs: readonly number[];
}

type Context = Pick<RunContext, 'fence' | 'signal' | 'isOwned' | 'logger'>;
/** What an operation is about, and the function that it changes. */
type Target = FunctionName & { functionArn: string };

/** Connectors that one page of a roll-out has. */
const pageSize = 100;

/**
 * Tries an operation once. Afterwards it is done, has failed for good, or is due later. It may run twice, and may have stopped
 * after any of its steps: each of them gives the same result again. Throws StoreUnavailable and FenceLost, and the abort of the
 * run.
 */
export async function runOperation(deps: OperationDeps, operation: PluginOperation, context: Context): Promise<void> {
  const { work, functions } = deps;
  const { what, organizationId, pluginId, sha256 } = operation;
  const name = { organizationId, pluginId, developerId: what.kind === 'deploy' ? what.developerId : null };
  const target = { ...name, functionArn: functions.arnOf(name) };
  const code = await work.bundle(pluginId, sha256);
  // Without code or plugin the plugin was deleted; its operations are gone with it.
  if (code === null || !(await work.noteFunction(context.fence, target))) return;
  try {
    await (what.kind === 'deploy' ? deploy : promote)(deps, { operation, target, code }, context);
  } catch (error) {
    if (!(error instanceof FunctionPlatformUnavailable)) throw error;
    await tryLater(deps, operation, error, context);
  }
}

interface Step {
  operation: PluginOperation;
  target: Target;
  code: string;
}

async function deploy({ work, functions }: OperationDeps, { operation, target, code }: Step, context: Context): Promise<void> {
  assertOwned(context);
  const deployed = await functions.deploy(target, code);
  if (!deployed.ok) return work.failed(context.fence, operation, `${titleOf(operation)} failed: ${deployed.message}`);
  return work.deployed(context.fence, operation, target.functionArn);
}

async function promote(deps: OperationDeps, step: Step, context: Context): Promise<void> {
  const { operation, target, code } = step;
  const { work, functions } = deps;
  if (operation.version === null) {
    assertOwned(context);
    const published = await functions.publish(target, code, operation.id);
    if (!published.ok) return work.failed(context.fence, operation, `${titleOf(operation)} failed: ${published.message}`);
    await work.published(context.fence, operation, { version: published.version, functionArn: target.functionArn });
  }
  await rollOut(work, operation.pluginId, context);
  return work.promoted(context.fence, operation, target.functionArn);
}

/**
 * Puts the new version into every active version that uses the plugin. What fails for one connector waits for the next promotion.
 */
async function rollOut(work: OperationDeps['work'], pluginId: string, { fence, signal, logger }: Context): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page: string[] = await work.usersOf(pluginId, after, pageSize);
    for (const connectorId of page) {
      signal.throwIfAborted();
      try {
        await work.rollOut(fence, pluginId, connectorId);
      } catch (error) {
        if (error instanceof FenceLost || error instanceof StoreUnavailable) throw error;
        logger.error('a promotion did not reach a connector', { plugin_id: pluginId, connector_id: connectorId, error });
      }
    }
    if (page.length < pageSize) return;
    after = page.at(-1)!;
  }
}

async function tryLater(
  { work, retryWaitsMs }: OperationDeps, operation: PluginOperation, { message }: Error, { fence, logger }: Context,
): Promise<void> {
  const waitMs = retryWaitsMs[operation.tries];
  logger.warn('an operation of a plugin failed', { plugin_id: operation.pluginId, operation: operation.id, reason: message });
  if (waitMs !== undefined) return work.postpone(fence, operation.id, waitMs);
  const tries = operation.tries + 1;
  return work.failed(fence, operation,
    `${titleOf(operation)} failed after ${tries} tries: the function platform cannot be reached`);
}

/** The fence does not reach the platform: a process that lost its task must not replace the code of the one that has it. */
function assertOwned({ isOwned, fence }: Context): void {
  if (!isOwned()) throw new FenceLost(fence);
}

const titleOf = ({ what }: PluginOperation): string =>
  what.kind === 'deploy' ? 'The deployment' : `The promotion to ${what.target}`;
