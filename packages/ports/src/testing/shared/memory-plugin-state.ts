import { randomUUID } from 'node:crypto';
import { type HookType, planHook, type PluginCoordinates, type SettledPluginStatus } from '@sluice/contracts';
import { type HookRow, type PluginRow, pluginTasks, type VersionPlugin } from '../../config-store';
import type { PluginOperation } from '../../plugins/plugin-work-store';
import type { PluginLogRow, PluginRunNote } from '../../plugins/plugin-run-store';
import { copy } from './memory-copy';

export interface MemoryPlugin {
  row: Omit<PluginRow, 'status' | 'hasSource'>;
  /** What it is besides a promotion that is under way. */
  status: SettledPluginStatus;
  source: string | null;
}

export interface MemoryOperation extends Omit<PluginOperation, 'dueInMs' | 'name'> {
  state: 'pending' | 'done' | 'failed';
  dueAt: number;
}

export interface MemoryFunction {
  functionArn: string;
  organizationId: string;
  pluginId: string;
  developerId: string | null;
  removed: boolean;
}

export interface MemoryHook extends HookRow {
  organizationId: string;
  /** Of the function that served the connector when it was asked for. */
  coordinates: PluginCoordinates;
}

/** What the twin holds of plugins. */
export interface MemoryPluginState {
  plugins: Map<string, MemoryPlugin>;
  /** By plugin, then by hash. */
  bundles: Map<string, Map<string, string>>;
  /** In the order of asking. */
  operations: MemoryOperation[];
  functions: Map<string, MemoryFunction>;
  versions: (VersionPlugin & { connectorId: string; inVersion: number })[];
  /** Oldest first. */
  hooks: MemoryHook[];
  /** By connector, plugin and key. */
  values: Map<string, { connectorId: string; pluginId: string; key: string; value: unknown; expiresAt: number | null }>;
  /** Oldest first. */
  logs: (PluginLogRow & { pluginId: string; id: number })[];
  runs: (PluginRunNote & { pluginId: string; at: number })[];
  /** Makes a task due. */
  wake(task: { worker: string; key: string; tenant: string }): void;
}

export function emptyPluginState(wake: MemoryPluginState['wake'] = () => undefined): MemoryPluginState {
  return {
    plugins: new Map(), bundles: new Map(), operations: [], functions: new Map(), versions: [], hooks: [], values: new Map(),
    logs: [], runs: [], wake,
  };
}

export const pendingOf = (state: MemoryPluginState, pluginId: string): MemoryOperation[] =>
  state.operations.filter((operation) => operation.pluginId === pluginId && operation.state === 'pending');

export function pluginRowOf(state: MemoryPluginState, { row, status, source }: MemoryPlugin): PluginRow {
  const promotion = pendingOf(state, row.id).flatMap(({ what }) => (what.kind === 'promote' ? [what.target] : [])).at(-1);
  return copy({ ...row, hasSource: source !== null, status: promotion ? `promoting_to_${promotion}` : status });
}

export const hookRowOf = ({ organizationId: _organization, coordinates: _coordinates, ...row }: MemoryHook): HookRow => copy(row);

export const hooksOf = (state: MemoryPluginState, pluginId: string, connectorId: string | null): MemoryHook[] =>
  state.hooks.filter((hook) => hook.pluginId === pluginId && (connectorId === null || hook.connectorId === connectorId));

export interface WantedHook {
  organizationId: string;
  pluginId: string;
  connectorId: string;
  hookType: HookType;
  coordinates: PluginCoordinates;
}

/** The hook of the cycle that is in effect, asked for unless it is pending or has succeeded; null: a teardown without a setup. */
export function ensureMemoryHook(state: MemoryPluginState, wanted: WantedHook): MemoryHook | null {
  const { organizationId, pluginId, connectorId, hookType, coordinates } = wanted;
  const known = hooksOf(state, pluginId, connectorId);
  const plan = planHook(hookType, known);
  if (plan.kind === 'no_setup') return null;
  const found = known.find((hook) => hook.hookType === hookType && hook.cycle === plan.cycle);
  if (plan.kind === 'known') return found!;
  const fresh = {
    status: 'pending' as const, invokedAt: null, completedAt: null, response: null, error: null, coordinates: copy(coordinates),
  };
  const hook = found ?? { id: randomUUID(), organizationId, pluginId, connectorId, hookType, cycle: plan.cycle, ...fresh };
  Object.assign(hook, fresh);
  if (!found) state.hooks.push(hook);
  state.wake({ worker: pluginTasks.hooks, key: hook.id, tenant: organizationId });
  return hook;
}

/** The function that serves a connector's events, by its active version. */
export function servedBy(
  state: MemoryPluginState, connectorId: string, activeVersion: number | null, pluginId: string,
): PluginCoordinates | null {
  const row = state.versions.find((one) =>
    one.pluginId === pluginId && one.connectorId === connectorId && one.inVersion === activeVersion);
  return row ? coordinatesOf(row) : null;
}

export const coordinatesOf = ({ function_arn, version, capabilities }: PluginCoordinates): PluginCoordinates =>
  copy({ function_arn, version, capabilities });

/** Asks for the teardown of every plugin that is set up on a connector that is being deleted, and drops the values it stored. */
export function tearDownAll(state: MemoryPluginState, connectorId: string, activeVersion: number | null): void {
  const setUp = state.hooks.filter((hook) =>
    hook.connectorId === connectorId && hook.hookType === 'setup' && hook.status === 'success');
  const newest = new Map(setUp.map((hook) => [hook.pluginId, hook]));
  for (const hook of newest.values()) tearDown(state, hook, activeVersion);
  for (const [key, value] of state.values) if (value.connectorId === connectorId) state.values.delete(key);
}

/** Asks for the teardown of what a setup has set up on a connector that is deleted. */
export function tearDown(state: MemoryPluginState, setup: MemoryHook, activeVersion: number | null): void {
  const served = servedBy(state, setup.connectorId, activeVersion, setup.pluginId);
  ensureMemoryHook(state, { ...setup, hookType: 'teardown', coordinates: served ?? setup.coordinates });
}
