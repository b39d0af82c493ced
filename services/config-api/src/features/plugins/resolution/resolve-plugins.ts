import type { PluginRefusal } from '@sluice/config-model';
import { type ConfigDocument, pluginNames } from '@sluice/contracts';
import {
  type ConfigStore, type ConnectorRow, type FunctionPlatform, FunctionPlatformUnavailable, type KnownPlugin, type VersionPlugin,
} from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import { type PluginOverride, pluginOverrides } from './plugin-overrides';
import { pluginFunction } from './plugin-function';

export interface ResolveDeps {
  store: Pick<ConfigStore, 'plugins'>;
  functions: Pick<FunctionPlatform, 'has'>;
}

/** What the names of a config's plugins mean, and why those mean nothing that do not. */
export interface ResolvedPlugins {
  plugins: VersionPlugin[];
  refusals: Map<string, PluginRefusal>;
  /** The plugins of these names that exist. */
  known: KnownPlugin[];
}

/**
 * Resolves the plugins of a config for a connector: `plugin_overrides` of its settings first; a test connector runs its
 * developer's own function, a live one the version that was promoted to live. What the config says of functions does not count.
 */
export async function resolvePlugins(
  deps: ResolveDeps, connector: ConnectorRow, config: Pick<ConfigDocument, 'flows'>,
): Promise<ResolvedPlugins> {
  const names = pluginNames(config);
  const known = names.length === 0 ? [] : await deps.store.plugins.named(connector.organizationId, names);
  const overrides = pluginOverrides(connector.settings);
  const resolved: ResolvedPlugins = { plugins: [], refusals: new Map(), known };
  for (const name of names) {
    const found = await resolve(deps, connector, known.find((plugin) => plugin.name === name), overrides.get(name));
    if ('why' in found) resolved.refusals.set(name, found);
    else resolved.plugins.push({ ...found, logicalName: name });
  }
  return resolved;
}

type Resolved = Omit<VersionPlugin, 'logicalName'> | PluginRefusal;

const unresolvable = (why: string): PluginRefusal => ({ type: 'plugin_unresolvable', why });

async function resolve(
  deps: ResolveDeps, connector: ConnectorRow, plugin: KnownPlugin | undefined, override: PluginOverride | undefined,
): Promise<Resolved> {
  if (!plugin) return { type: 'unknown_plugin', why: 'which does not exist' };
  return override ? overridden(deps, plugin, override) : functionByMode(plugin, connector);
}

/** The function that a plugin means on a connector without overrides. */
export function functionByMode(plugin: KnownPlugin, { mode, createdById }: ConnectorRow): Resolved {
  if (mode === 'live') {
    const live = pluginFunction(plugin, 'live', '');
    return live ? { ...live, pluginId: plugin.id, origin: 'live' } : unresolvable('which was never promoted to live');
  }
  if (createdById === null) return unresolvable('which a test connector runs as the function of its creator, who is unknown');
  const latest = pluginFunction(plugin, 'dev', createdById);
  return latest
    ? { ...latest, pluginId: plugin.id, origin: 'latest' }
    : unresolvable('which the creator of this test connector has not pushed');
}

async function overridden(
  { store, functions }: ResolveDeps, plugin: KnownPlugin, { functionArn, version }: PluginOverride,
): Promise<Resolved> {
  const { organizationId, capabilities, id: pluginId } = plugin;
  const function_arn = functionArn ?? plugin.functions.find(({ developerId }) => developerId === null)?.functionArn;
  if (function_arn === undefined) return unresolvable('which was never promoted, so that its override names no function');
  const [own] = functionArn === undefined ? [plugin] : await store.plugins.ownFunctions(organizationId, [functionArn]);
  if (!own) return unresolvable('whose override names a function that is none of the organization');
  if (!(await hasVersion(functions, { organizationId, functionArn: function_arn, qualifier: version })))
    return unresolvable(`whose override names version ${version}, which its function does not have`);
  return { function_arn, version, capabilities, pluginId, origin: 'override' };
}

async function hasVersion(functions: ResolveDeps['functions'], wanted: Parameters<FunctionPlatform['has']>[0]): Promise<boolean> {
  try {
    return await functions.has(wanted);
  } catch (error) {
    if (!(error instanceof FunctionPlatformUnavailable)) throw error;
    throw apiError('service_unavailable', { message: 'The platform of functions cannot be reached.' }, { 'Retry-After': '5' });
  }
}
