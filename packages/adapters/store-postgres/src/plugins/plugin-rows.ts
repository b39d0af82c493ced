import type { HookStatus, HookType, PluginCapabilities, PluginStatus } from '@sluice/contracts';
import type { CoordinatesOrigin, HookRow, PluginRow, VersionPlugin } from '@sluice/ports';
import { asId, type Reader, type Transaction } from '../config-client/config-client';
import { Prisma, type PluginHook, type VersionPlugin as StoredVersionPlugin } from '../generated/client';

/** A plugin as statements read it: never with its code. `promoting`: the target of the newest promotion that waits or runs. */
export interface StoredPlugin {
  id: string;
  organization_id: string;
  name: string;
  status: string;
  promoting: string | null;
  capabilities: unknown;
  staging_version: number | null;
  live_version: number | null;
  function_arn: string | null;
  error_message: string | null;
  bundle_sha256: string | null;
  has_source: boolean;
  last_deployed_at: Date | null;
  setup_completed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = Prisma.sql`
  p.id, p.organization_id, p.name, p.status, p.capabilities, p.staging_version, p.live_version, p.function_arn, p.error_message,
  p.bundle_sha256, p.source_code IS NOT NULL AS has_source, p.last_deployed_at, p.setup_completed_at, p.created_at, p.updated_at,
  (SELECT o.target FROM plugin_operations o WHERE o.plugin_id = p.id AND o.state = 'pending' AND o.kind = 'promote'
    ORDER BY o.seq DESC LIMIT 1) AS promoting`;

/** Plugins by a condition over `p`, with what stands behind it. */
export const selectPlugins = (reader: Reader, rest: Prisma.Sql): Promise<StoredPlugin[]> =>
  reader.$queryRaw<StoredPlugin[]>`SELECT ${columns} FROM plugins p ${rest}`;

export async function readPlugin(reader: Reader, organizationId: string, id: string): Promise<PluginRow | null> {
  const where = Prisma.sql`WHERE p.id = ${asId(id)}::uuid AND p.organization_id = ${asId(organizationId)}::uuid`;
  const [row] = await selectPlugins(reader, where);
  return row ? pluginRow(row) : null;
}

/** Locks the plugin of an organization until the transaction ends. */
export async function lockPlugin(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM plugins WHERE id = ${asId(id)}::uuid AND organization_id = ${asId(organizationId)}::uuid FOR UPDATE`;
  return rows.length > 0;
}

export const pluginRow = (row: StoredPlugin): PluginRow => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  // A promotion under way is named before everything else.
  status: (row.promoting === null ? row.status : `promoting_to_${row.promoting}`) as PluginStatus,
  capabilities: row.capabilities as PluginCapabilities,
  stagingVersion: row.staging_version,
  liveVersion: row.live_version,
  functionArn: row.function_arn,
  errorMessage: row.error_message,
  bundleSha256: row.bundle_sha256,
  hasSource: row.has_source,
  lastDeployedAt: row.last_deployed_at,
  setupCompletedAt: row.setup_completed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const qualifierOf = (text: string): number | '$LATEST' => (text === '$LATEST' ? text : Number(text));

export const versionPluginRow = (row: StoredVersionPlugin): VersionPlugin => ({
  logicalName: row.logical_name,
  pluginId: row.plugin_id,
  function_arn: row.function_arn,
  version: qualifierOf(row.function_version),
  capabilities: row.capabilities as PluginCapabilities,
  origin: row.origin as CoordinatesOrigin,
});

export const hookRow = (row: PluginHook): HookRow => ({
  id: row.id,
  pluginId: row.plugin_id,
  connectorId: row.connector_id,
  hookType: row.hook_type as HookType,
  cycle: row.cycle,
  status: row.status as HookStatus,
  invokedAt: row.invoked_at,
  completedAt: row.completed_at,
  response: row.response,
  error: row.error,
});
