import type { HookRow, PluginRow } from '@sluice/ports';
import { iso, isoOrNull } from '../../http/iso';

export const pluginView = (plugin: PluginRow) => ({
  id: plugin.id,
  name: plugin.name,
  status: plugin.status,
  capabilities: plugin.capabilities,
  staging_version: plugin.stagingVersion,
  live_version: plugin.liveVersion,
  function_arn: plugin.functionArn,
  error_message: plugin.errorMessage,
  bundle_sha256: plugin.bundleSha256,
  has_source: plugin.hasSource,
  has_bundle: plugin.bundleSha256 !== null,
  last_deployed_at: isoOrNull(plugin.lastDeployedAt),
  setup_completed_at: isoOrNull(plugin.setupCompletedAt),
  created_at: iso(plugin.createdAt),
  updated_at: iso(plugin.updatedAt),
});

export const hookView = (hook: HookRow) => ({
  id: hook.id,
  plugin_id: hook.pluginId,
  connector_id: hook.connectorId,
  hook_type: hook.hookType,
  cycle: hook.cycle,
  status: hook.status,
  invoked_at: isoOrNull(hook.invokedAt),
  completed_at: isoOrNull(hook.completedAt),
  response: hook.response,
  error: hook.error,
});

/** A version of a function as the API shows it: a number, or `$LATEST`. */
export const shownVersion = (version: string): number | string => (/^\d+$/.test(version) ? Number(version) : version);
