import { isDeepStrictEqual } from 'node:util';
import type { PluginCoordinates } from '@sluice/contracts';
import type { VersionPlugin } from '@sluice/ports';
import { json, type Reader, type Transaction } from '../config-client/config-client';
import { announce, lockConnector } from '../config-client/connector-changes';
import { ensureHook } from './plugin-hooks';
import { versionPluginRow } from './plugin-rows';

/**
 * Locks the plugins of a version that is about to be published, until its transaction ends, and compares what was resolved with
 * them. @returns false: one was deleted or promoted, or its grants changed, since its name was resolved
 */
export async function arePluginsCurrent(tx: Transaction, plugins: readonly VersionPlugin[]): Promise<boolean> {
  const ids = [...new Set(plugins.map(({ pluginId }) => pluginId))].sort();
  if (ids.length === 0) return true;
  const rows = await tx.$queryRaw<{ id: string; live_version: number | null; capabilities: unknown }[]>`
    SELECT id, live_version, capabilities FROM plugins WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR SHARE`;
  const known = new Map(rows.map((row) => [row.id, row]));
  return plugins.every(({ pluginId, origin, version, capabilities }) => {
    const row = known.get(pluginId);
    if (!row || !isDeepStrictEqual(row.capabilities, capabilities)) return false;
    return origin !== 'live' || row.live_version === version;
  });
}

/** Stores what the names of plugins mean to a version. */
export async function addVersionPlugins(
  tx: Transaction, { connectorId: connector_id, version }: { connectorId: string; version: number },
  plugins: readonly VersionPlugin[],
): Promise<void> {
  await tx.versionPlugin.createMany({
    data: plugins.map((plugin) => ({
      connector_id, version, logical_name: plugin.logicalName, plugin_id: plugin.pluginId, function_arn: plugin.function_arn,
      function_version: String(plugin.version), capabilities: json(plugin.capabilities), origin: plugin.origin,
    })),
  });
}

/** What the names of plugins mean to a version. */
export async function coordinatesOf(
  reader: Reader, connectorId: string, version: number,
): Promise<Map<string, PluginCoordinates>> {
  const rows = await reader.versionPlugin.findMany({ where: { connector_id: connectorId, version } });
  return new Map(rows.map(versionPluginRow).map(({ logicalName, function_arn, version: qualifier, capabilities }) =>
    [logicalName, { function_arn, version: qualifier, capabilities }]));
}

/**
 * Puts the live version and the grants of a plugin into the active version of a connector, and asks for a setup where none is in
 * effect. A coordinate that settings gave, or a developer's own function, keeps its function.
 */
export async function rollOut(tx: Transaction, pluginId: string, connectorId: string): Promise<void> {
  const connector = await lockConnector(tx, connectorId);
  const version = connector?.active_version ?? null;
  if (!connector || version === null) return;
  const [plugin] = await tx.$queryRaw<{ live_version: number | null; capabilities: object; shared: string | null }[]>`
    SELECT p.live_version, p.capabilities, f.function_arn AS shared FROM plugins p
    LEFT JOIN plugin_functions f ON f.plugin_id = p.id AND f.developer_id IS NULL AND f.removed_at IS NULL
    WHERE p.id = ${pluginId}::uuid FOR UPDATE OF p`;
  const rows = await tx.versionPlugin.findMany({ where: { connector_id: connectorId, version, plugin_id: pluginId } });
  const [first] = rows;
  if (!plugin || !first) return;
  const changed = rows.flatMap((row) => {
    const follows = row.origin === 'live' && plugin.live_version !== null && plugin.shared !== null;
    const function_version = follows ? String(plugin.live_version) : row.function_version;
    const function_arn = follows ? plugin.shared! : row.function_arn;
    const isSame = row.function_version === function_version && row.function_arn === function_arn
      && isDeepStrictEqual(row.capabilities, plugin.capabilities);
    return isSame ? [] : [
      { ...row, function_version, function_arn, capabilities: json(plugin.capabilities), updated_at: new Date() },
    ];
  });
  for (const { connector_id, logical_name, ...data } of changed)
    await tx.versionPlugin.update({
      where: { connector_id_version_logical_name: { connector_id, version, logical_name } }, data,
    });
  if (changed.length > 0) {
    await tx.connector.update({ where: { id: connectorId }, data: { plugins_revision: { increment: 1 } } });
    await announce(tx, [connectorId]);
  }
  const { function_arn, version: qualifier, capabilities } = versionPluginRow({ ...first, ...changed[0] } as typeof first);
  const coordinates = { function_arn, version: qualifier, capabilities };
  await ensureHook(tx, { organizationId: connector.organization_id, pluginId, connectorId, hookType: 'setup', coordinates });
}
