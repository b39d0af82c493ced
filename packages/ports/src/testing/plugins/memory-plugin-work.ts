import { isDeepStrictEqual } from 'node:util';
import { describedStatus, type PluginCoordinates } from '@sluice/contracts';
import type { PluginOperation, PluginWorkStore } from '../../plugins/plugin-work-store';
import { StoreUnavailable } from '../../shared/store-unavailable';
import type { Fence } from '../../tasks/task-store';
import { announce, liveConnector, type MemoryConfigState } from '../config-twin/memory-config-state';
import { copy } from '../shared/memory-copy';
import {
  coordinatesOf, ensureMemoryHook, type MemoryOperation, type MemoryPluginState, pendingOf, servedBy, tearDown,
} from '../shared/memory-plugin-state';

/** What the twin of `PluginWorkStore` is told. */
export interface MemoryPluginWorkOptions {
  state: MemoryConfigState;
  assertFence(fence: Fence): void;
  isDown(): boolean;
}

/** What plugin-deployer works with, in memory. Times are those of this process. */
export function createMemoryPluginWork({ state, assertFence, isDown }: MemoryPluginWorkOptions): PluginWorkStore {
  const up = async <T,>(work: () => T): Promise<T> => {
    if (isDown()) throw new StoreUnavailable('the config store is down');
    return work();
  };
  const fenced = <T,>(fence: Fence, work: () => T): Promise<T> => up(() => {
    assertFence(fence);
    return work();
  });
  return { ...operationWork(state, up, fenced), ...hookWork(state, fenced), ...removalWork(state.plugins, up, fenced) };
}

type Up = <T>(work: () => T) => Promise<T>;
type Fenced = <T>(fence: Fence, work: () => T) => Promise<T>;
type OperationMethods = Omit<PluginWorkStore, keyof ReturnType<typeof hookWork> | keyof ReturnType<typeof removalWork>>;

function operationWork(state: MemoryConfigState, up: Up, fenced: Fenced): OperationMethods {
  const { plugins: held } = state;
  const pending = (id: string): MemoryOperation | undefined =>
    held.operations.find((operation) => operation.id === id && operation.state === 'pending');
  const end = ({ id, pluginId }: PluginOperation, as: 'done' | 'failed'): boolean => {
    const operation = pending(id);
    if (operation) operation.state = as;
    const needed = [held.plugins.get(pluginId)?.row.bundleSha256, ...pendingOf(held, pluginId).map(({ sha256 }) => sha256)];
    for (const sha256 of held.bundles.get(pluginId)?.keys() ?? [])
      if (!needed.includes(sha256)) held.bundles.get(pluginId)!.delete(sha256);
    return operation !== undefined;
  };
  return {
    nextOperation: (pluginId) => up(() => {
      const [first] = pendingOf(held, pluginId);
      const plugin = held.plugins.get(pluginId);
      if (!first || !plugin) return null;
      const { state: _state, dueAt, ...operation } = first;
      return copy({ ...operation, name: plugin.row.name, dueInMs: Math.max(0, dueAt - Date.now()) });
    }),
    bundle: (pluginId, sha256) => up(() => held.bundles.get(pluginId)?.get(sha256) ?? null),
    noteFunction: (fence, fn) => fenced(fence, () => {
      if (!held.plugins.has(fn.pluginId)) return false;
      if (!held.functions.has(fn.functionArn)) held.functions.set(fn.functionArn, { ...fn, removed: false });
      return true;
    }),
    postpone: (fence, id, dueInMs) => fenced(fence, () => {
      const operation = pending(id);
      if (operation) Object.assign(operation, { tries: operation.tries + 1, dueAt: Date.now() + dueInMs });
    }),
    deployed: (fence, operation, functionArn) => fenced(fence, () => {
      if (end(operation, 'done')) landed(held, operation, 'dev', functionArn);
    }),
    published: (fence, { id, what }, { version }) => fenced(fence, () => {
      const operation = pending(id);
      if (!operation || what.kind !== 'promote') return;
      operation.version = version;
      const plugin = held.plugins.get(operation.pluginId)!;
      Object.assign(plugin.row, what.target === 'live' ? { liveVersion: version } : { stagingVersion: version });
    }),
    usersOf: (pluginId, after, limit) => up(() => {
      const users = held.versions.filter((one) => {
        const connector = liveConnector(state, one.connectorId);
        return one.pluginId === pluginId && connector?.row.activeVersion === one.inVersion;
      });
      const ids = [...new Set(users.map(({ connectorId }) => connectorId))].sort();
      return ids.filter((id) => after === null || id > after).slice(0, limit);
    }),
    rollOut: (fence, pluginId, connectorId) => fenced(fence, () => rollOut(state, pluginId, connectorId)),
    promoted: (fence, operation, functionArn) => fenced(fence, () => {
      if (end(operation, 'done') && operation.what.kind === 'promote')
        landed(held, operation, operation.what.target, functionArn);
    }),
    failed: (fence, operation, message) => fenced(fence, () => {
      const plugin = held.plugins.get(operation.pluginId);
      if (!end(operation, 'failed') || !plugin) return;
      plugin.status = 'error';
      plugin.row.errorMessage = message;
    }),
  };
}

function landed(
  held: MemoryPluginState, { pluginId }: PluginOperation, status: 'dev' | 'staging' | 'live', functionArn: string,
): void {
  const plugin = held.plugins.get(pluginId);
  if (!plugin) return;
  plugin.status = status;
  Object.assign(plugin.row, { functionArn, errorMessage: null, lastDeployedAt: new Date() });
}

function rollOut(state: MemoryConfigState, pluginId: string, connectorId: string): void {
  const { plugins: held } = state;
  const [connector, plugin] = [liveConnector(state, connectorId), held.plugins.get(pluginId)];
  const rows = held.versions.filter((one) =>
    one.connectorId === connectorId && one.inVersion === connector?.row.activeVersion && one.pluginId === pluginId);
  if (!connector || !plugin || rows.length === 0) return;
  const shared = [...held.functions.values()].find((fn) => fn.pluginId === pluginId && fn.developerId === null && !fn.removed);
  const { liveVersion, capabilities } = plugin.row;
  let hasChanged = false;
  for (const row of rows) {
    const follows = row.origin === 'live' && liveVersion !== null && shared !== undefined;
    const next: PluginCoordinates = {
      function_arn: follows ? shared.functionArn : row.function_arn, version: follows ? liveVersion : row.version, capabilities,
    };
    const { function_arn, version, capabilities: granted } = row;
    if (isDeepStrictEqual(next, { function_arn, version, capabilities: granted })) continue;
    hasChanged = true;
    Object.assign(row, copy(next));
  }
  if (hasChanged) {
    connector.pluginsRevision += 1;
    announce(state, [connector]);
  }
  const { organizationId } = connector.row;
  ensureMemoryHook(held, { organizationId, pluginId, connectorId, hookType: 'setup', coordinates: coordinatesOf(rows[0]!) });
}

function hookWork(state: MemoryConfigState, fenced: Fenced): Pick<PluginWorkStore, 'beginHook' | 'hookSucceeded' | 'hookFailed'> {
  const { plugins: held } = state;
  const pending = (hookId: string) => held.hooks.find(({ id, status }) => id === hookId && status === 'pending');
  return {
    beginHook: (fence, hookId) => fenced(fence, () => {
      const hook = pending(hookId);
      if (!hook) return null;
      const connector = liveConnector(state, hook.connectorId);
      if (!connector && hook.hookType === 'setup') {
        Object.assign(hook, { status: 'failed', completedAt: new Date(), error: 'The connector was deleted.' });
        return null;
      }
      hook.invokedAt = new Date();
      const served = servedBy(held, hook.connectorId, connector?.row.activeVersion ?? null, hook.pluginId);
      const { id, pluginId, organizationId, connectorId, hookType, cycle } = hook;
      return {
        id, pluginId, organizationId, connectorId, pluginName: held.plugins.get(pluginId)!.row.name, hookType, cycle,
        coordinates: served ?? copy(hook.coordinates),
      };
    }),
    hookSucceeded: (fence, hookId, response) => fenced(fence, () => {
      const hook = pending(hookId);
      if (!hook) return;
      const completedAt = new Date();
      Object.assign(hook, { status: 'success', completedAt, error: null, response: copy(response) ?? null });
      const plugin = held.plugins.get(hook.pluginId)!;
      if (hook.hookType === 'setup') plugin.row.setupCompletedAt = completedAt;
      const connector = state.connectors.get(hook.connectorId);
      if (hook.hookType === 'setup' && connector?.deleted) tearDown(held, hook, connector.row.activeVersion);
      if (plugin.status !== 'error') return;
      const { liveVersion, stagingVersion, functionArn } = plugin.row;
      plugin.status = describedStatus({ liveVersion, stagingVersion, hasFunction: functionArn !== null });
      plugin.row.errorMessage = null;
    }),
    hookFailed: (fence, hookId, error, last) => fenced(fence, () => {
      const hook = pending(hookId);
      if (!hook) return;
      Object.assign(hook, { error }, last && { status: 'failed', completedAt: new Date() });
      if (!last) return;
      const plugin = held.plugins.get(hook.pluginId)!;
      plugin.status = 'error';
      plugin.row.errorMessage = `The ${hook.hookType} hook failed on connector ${hook.connectorId}: ${error}`;
    }),
  };
}

function removalWork(
  held: MemoryPluginState, up: Up, fenced: Fenced,
): Pick<PluginWorkStore, 'removedFunction' | 'forgetFunction'> {
  return {
    removedFunction: (functionArn) => up(() => {
      const fn = held.functions.get(functionArn);
      if (!fn?.removed) return null;
      return { organizationId: fn.organizationId, pluginId: fn.pluginId, developerId: fn.developerId };
    }),
    forgetFunction: (fence, functionArn) => fenced(fence, () => {
      if (held.functions.get(functionArn)?.removed) held.functions.delete(functionArn);
    }),
  };
}
