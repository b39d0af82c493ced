import { isDeepStrictEqual } from 'node:util';
import type { ConfigDocument } from '@sluice/contracts';
import type { ConnectorRow, VersionPlugin } from '@sluice/ports';
import { resolvePlugins } from '../plugins/resolution/resolve-plugins';
import type { PreviewDeps } from './deps';
import { type ResolvedChange, resolvedChange } from './resolved-change';

/** What a publish would change in the functions of plugins that the active version names too, and plugins that mean nothing. */
export async function pluginChanges(
  deps: Pick<PreviewDeps, 'store' | 'functions'>, connector: ConnectorRow, config: ConfigDocument,
): Promise<ResolvedChange[]> {
  const { plugins, refusals } = await resolvePlugins(deps, connector, config);
  const { activeVersion } = connector;
  const active = activeVersion === null ? [] : await deps.store.plugins.versionPlugins(connector.id, activeVersion);
  const before = new Map(active.map((plugin) => [plugin.logicalName, plugin]));
  return [
    ...plugins.flatMap((plugin) => {
      const running = before.get(plugin.logicalName);
      return running ? changesOf(running, plugin) : [];
    }),
    ...[...refusals].map(([name, { why }]) =>
      resolvedChange('plugin_unresolvable', `The plugin '${name}', ${why}, cannot be resolved.`)),
  ];
}

function changesOf(running: VersionPlugin, next: VersionPlugin): ResolvedChange[] {
  const named = ({ function_arn, version }: VersionPlugin): string => `version ${version} of ${function_arn}`;
  const isMoved = named(running) !== named(next);
  const isRegranted = !isDeepStrictEqual(running.capabilities, next.capabilities);
  return [
    ...(isMoved
      ? [resolvedChange('plugin_version_changed',
        `The plugin '${next.logicalName}' becomes ${named(next)}; it is ${named(running)}.`)]
      : []),
    ...(isRegranted
      ? [resolvedChange('plugin_capabilities_changed', `The plugin '${next.logicalName}' gets other capabilities.`)]
      : []),
  ];
}
