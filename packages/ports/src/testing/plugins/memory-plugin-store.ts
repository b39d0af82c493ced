import { randomUUID } from 'node:crypto';
import { noteAudit } from '../../config-store/audit-scope';
import { type HookRow, type KnownPlugin, type PluginAnswer, type PluginStore, pluginTasks } from '../../config-store';
import { connectorsOf, liveConnector, type MemoryConfigState, pageOf } from '../config-twin/memory-config-state';
import { copy } from '../shared/memory-copy';
import {
  ensureMemoryHook, hookRowOf, hooksOf, type MemoryOperation, type MemoryPlugin, pendingOf, pluginRowOf,
} from '../shared/memory-plugin-state';

/** Plugins of the twin. */
export function createMemoryPluginStore(state: MemoryConfigState): PluginStore {
  const held = state.plugins;
  const all = (organizationId: string): MemoryPlugin[] =>
    [...held.plugins.values()].filter(({ row }) => row.organizationId === organizationId);
  const owned = (organizationId: string, id: string): MemoryPlugin | undefined => {
    const plugin = held.plugins.get(id);
    return plugin?.row.organizationId === organizationId ? plugin : undefined;
  };
  const answer = (plugin: MemoryPlugin): PluginAnswer => ({ ok: true, plugin: pluginRowOf(held, plugin) });
  const functionsOf = (id: string) => [...held.functions.values()].filter(({ pluginId, removed }) => pluginId === id && !removed);
  const known = (plugin: MemoryPlugin): KnownPlugin => ({
    ...pluginRowOf(held, plugin),
    functions: functionsOf(plugin.row.id).map(({ functionArn, developerId }) => ({ functionArn, developerId })),
  });
  const isTaken = (organizationId: string, name: string, but?: MemoryPlugin): boolean =>
    all(organizationId).some((plugin) => plugin !== but && plugin.row.name === name);
  return {
    async create({ organizationId, name, capabilities }) {
      if (!state.organizations.has(organizationId)) return { ok: false, reason: 'not_found' };
      if (isTaken(organizationId, name)) return { ok: false, reason: 'name_taken' };
      const plugin = newPlugin(organizationId, name, capabilities);
      held.plugins.set(plugin.row.id, plugin);
      noteAudit({ targetId: plugin.row.id });
      return answer(plugin);
    },
    list: async (organizationId, page) => pageOf(all(organizationId).reverse().map((plugin) => pluginRowOf(held, plugin)), page),
    get: async (organizationId, id) => {
      const plugin = owned(organizationId, id);
      return plugin ? known(plugin) : null;
    },
    named: async (organizationId, names) => all(organizationId).filter(({ row }) => names.includes(row.name)).map(known),
    ownFunctions: async (organizationId, arns) => [...held.functions.values()]
      .filter((fn) => fn.organizationId === organizationId && arns.includes(fn.functionArn) && !fn.removed)
      .map(({ functionArn, pluginId }) => ({ functionArn, pluginId })),
    functionsOfOthers: async (organizationId, arns) => [...held.functions.values()]
      .filter((fn) => fn.organizationId !== organizationId && arns.includes(fn.functionArn))
      .map(({ functionArn }) => functionArn),
    async update(organizationId, id, { name, capabilities }) {
      const plugin = owned(organizationId, id);
      if (!plugin) return { ok: false, reason: 'not_found' };
      if (name !== undefined && isTaken(organizationId, name, plugin)) return { ok: false, reason: 'name_taken' };
      Object.assign(plugin.row, name !== undefined && { name }, capabilities && { capabilities: copy(capabilities) }, {
        updatedAt: new Date(),
      });
      return answer(plugin);
    },
    async remove(organizationId, id) {
      if (!owned(organizationId, id)) return { ok: false, reason: 'not_found' };
      const connectors = connectorsOf(state, organizationId)
        .filter(({ row }) => held.versions.some((one) =>
          (one.pluginId === id || functionsOf(id).some(({ functionArn }) => functionArn === one.function_arn))
          && one.connectorId === row.id && one.inVersion === row.activeVersion))
        .map(({ row }) => ({ id: row.id, name: row.name }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
      if (connectors.length > 0) return { ok: false, reason: 'in_use', connectors };
      removePlugin(state, organizationId, id);
      return { ok: true };
    },
    async push(organizationId, id, { bundle, sha256, source, developerId }) {
      const plugin = owned(organizationId, id);
      if (!plugin) return { ok: false, reason: 'not_found' };
      held.bundles.set(id, (held.bundles.get(id) ?? new Map<string, string>()).set(sha256, bundle));
      Object.assign(plugin.row, { bundleSha256: sha256, updatedAt: new Date() });
      plugin.source = source;
      ask(state, { pluginId: id, organizationId, sha256, what: { kind: 'deploy', developerId } });
      return answer(plugin);
    },
    async promote(organizationId, id, target) {
      const plugin = owned(organizationId, id);
      if (!plugin) return { ok: false, reason: 'not_found' };
      if (plugin.row.bundleSha256 === null) return { ok: false, reason: 'not_pushed' };
      ask(state, { pluginId: id, organizationId, sha256: plugin.row.bundleSha256, what: { kind: 'promote', target } });
      return answer(plugin);
    },
    source: async (organizationId, id) => owned(organizationId, id)?.source ?? null,
    bundle: async (organizationId, id) =>
      held.bundles.get(id)?.get(owned(organizationId, id)?.row.bundleSha256 ?? '') ?? null,
    versionPlugins: async (connectorId, version) => copy(held.versions
      .filter((one) => one.connectorId === connectorId && one.inVersion === version)
      .map(({ connectorId: _connector, inVersion: _version, ...plugin }) => plugin)),
    async requestHook(organizationId, hook) {
      const connector = liveConnector(state, hook.connectorId);
      if (connector?.row.organizationId !== organizationId || !owned(organizationId, hook.pluginId))
        return { ok: false, reason: 'not_found' };
      const row = ensureMemoryHook(held, { organizationId, ...hook });
      return row ? { ok: true, hook: hookRowOf(row) } : { ok: false, reason: 'no_setup' };
    },
    hooks: async (pluginId, connectorId) => newestHooks(held, pluginId, connectorId),
    async hookPage(pluginId, connectorId, { limit, offset }) {
      const found = newestHooks(held, pluginId, connectorId);
      return { items: found.slice(offset, offset + limit), total: found.length };
    },
  };
}

const newestHooks = (held: MemoryConfigState['plugins'], pluginId: string, connectorId: string | null): HookRow[] =>
  hooksOf(held, pluginId, connectorId).reverse().sort((one, other) => other.cycle - one.cycle).map(hookRowOf);

function newPlugin(organizationId: string, name: string, capabilities: MemoryPlugin['row']['capabilities']): MemoryPlugin {
  const at = new Date();
  return {
    row: {
      id: randomUUID(), organizationId, name, capabilities: copy(capabilities), stagingVersion: null, liveVersion: null,
      functionArn: null, errorMessage: null, bundleSha256: null, lastDeployedAt: null, setupCompletedAt: null, createdAt: at,
      updatedAt: at,
    },
    status: 'draft',
    source: null,
  };
}

/** Asks for an operation in place of the same one that still waits; the first of the plugin may be under way. */
function ask(
  { plugins }: MemoryConfigState, wanted: Pick<MemoryOperation, 'pluginId' | 'organizationId' | 'sha256' | 'what'>,
): void {
  const [, ...waiting] = pendingOf(plugins, wanted.pluginId);
  const isSame = (what: MemoryOperation['what']): boolean => JSON.stringify(what) === JSON.stringify(wanted.what);
  for (const operation of waiting) if (isSame(operation.what)) operation.state = 'done';
  plugins.operations.push({ id: randomUUID(), state: 'pending', tries: 0, dueAt: Date.now(), version: null, ...wanted });
  plugins.wake({ worker: pluginTasks.operations, key: wanted.pluginId, tenant: wanted.organizationId });
}

function removePlugin({ plugins: held }: MemoryConfigState, organizationId: string, id: string): void {
  for (const fn of held.functions.values()) {
    if (fn.pluginId !== id || fn.removed) continue;
    fn.removed = true;
    held.wake({ worker: pluginTasks.removals, key: fn.functionArn, tenant: organizationId });
  }
  held.plugins.delete(id);
  held.bundles.delete(id);
  held.operations = held.operations.filter(({ pluginId }) => pluginId !== id);
  held.hooks = held.hooks.filter(({ pluginId }) => pluginId !== id);
  held.logs = held.logs.filter(({ pluginId }) => pluginId !== id);
  held.runs = held.runs.filter(({ pluginId }) => pluginId !== id);
  for (const [key, { pluginId }] of held.values) if (pluginId === id) held.values.delete(key);
}
