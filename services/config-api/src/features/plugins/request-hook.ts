import type { HookType, PluginCoordinates } from '@sluice/contracts';
import type { ConnectorRow, KnownPlugin } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { hookView } from './plugin-view';
import { functionByMode } from './resolution/resolve-plugins';

/** Asks for a hook of a plugin on a connector. Throws the error answers of its routes. */
export async function requestHook(
  deps: PluginDeps, principal: Principal, hookType: HookType, pluginId: string, connectorId: string,
) {
  const plugin = await findPlugin(deps, principal, pluginId);
  const connector = await findConnector(deps, principal, connectorId);
  const coordinates = await servingFunction(deps, connector, plugin);
  if (!coordinates) {
    if (hookType === 'teardown' && (await deps.store.plugins.hooks(plugin.id,
      connector.id)).length === 0) throw apiError('Not Found');
    throw apiError('plugin_not_deployed', { message: 'There is no function to run yet: push or promote the plugin.' });
  }
  const hook = { pluginId: plugin.id, connectorId: connector.id, hookType, coordinates };
  const asked = await deps.store.plugins.requestHook(principal.organization.id, hook);
  if (!asked.ok) throw apiError('Not Found');
  return { status: 202 as const, body: hookView(asked.hook) };
}

/** The function that serves the connector's events; where no version uses the plugin, the one that a publish would take. */
async function servingFunction(
  { store }: PluginDeps, connector: ConnectorRow, plugin: KnownPlugin,
): Promise<PluginCoordinates | null> {
  const { activeVersion } = connector;
  const used = activeVersion === null ? [] : await store.plugins.versionPlugins(connector.id, activeVersion);
  const served = used.find(({ pluginId }) => pluginId === plugin.id) ?? functionByMode(plugin, connector);
  if ('why' in served) return null;
  const { function_arn, version, capabilities } = served;
  return { function_arn, version, capabilities };
}
