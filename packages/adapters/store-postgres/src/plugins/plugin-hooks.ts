import { randomUUID } from 'node:crypto';
import { type HookStatus, type HookType, type PluginCoordinates, planHook } from '@sluice/contracts';
import { type HookAnswer, type PluginStore, pluginTasks } from '@sluice/ports';
import { asId, json, type Reader, type Transaction } from '../config-client/config-client';
import { Prisma, type PluginHook } from '../generated/client';
import { hookRow, lockPlugin, qualifierOf, versionPluginRow } from './plugin-rows';
import { wakeTask } from './wake-task';

const hooksWhere = (pluginId: string, connectorId: string | null) =>
  ({ plugin_id: pluginId, ...(connectorId !== null && { connector_id: connectorId }) });

/** Newest cycle first. */
export const hooksOf = (
  reader: Reader, pluginId: string, connectorId: string | null, { limit, offset } = { limit: 1_000, offset: 0 },
): Promise<PluginHook[]> =>
  reader.pluginHook.findMany({
    where: hooksWhere(pluginId, connectorId), orderBy: [{ cycle: 'desc' }, { created_at: 'desc' }, { id: 'asc' }], take: limit,
    skip: offset,
  });

export const countHooks = (reader: Reader, pluginId: string, connectorId: string | null): Promise<number> =>
  reader.pluginHook.count({ where: hooksWhere(pluginId, connectorId) });

/** A request of a caller: the connector must be one of the organization. */
export async function requestHook(
  tx: Transaction, organizationId: string, hook: Parameters<PluginStore['requestHook']>[1],
): Promise<HookAnswer> {
  const connector = await tx.connector.findFirst({
    where: { id: asId(hook.connectorId), organization_id: asId(organizationId), deleted_at: null }, select: { id: true },
  });
  if (!connector || !(await lockPlugin(tx, organizationId, hook.pluginId))) return { ok: false, reason: 'not_found' };
  const row = await ensureHook(tx, { organizationId, ...hook });
  return row ? { ok: true, hook: hookRow(row) } : { ok: false, reason: 'no_setup' };
}

export interface WantedHook {
  organizationId: string;
  pluginId: string;
  connectorId: string;
  hookType: HookType;
  coordinates: PluginCoordinates;
}

/**
 * The hook of the cycle that is in effect, asked for unless it is pending or has succeeded; null: a teardown without a setup. The
 * plugin's row must be locked.
 */
export async function ensureHook(tx: Transaction, wanted: WantedHook): Promise<PluginHook | null> {
  const { organizationId, pluginId, connectorId, hookType, coordinates } = wanted;
  const known = await hooksOf(tx, pluginId, connectorId);
  const plan = planHook(hookType, known.map(({ hook_type, cycle, status }) =>
    ({ hookType: hook_type as HookType, cycle, status: status as HookStatus })));
  if (plan.kind === 'no_setup') return null;
  const row = known.find(({ hook_type, cycle }) => hook_type === hookType && cycle === plan.cycle);
  if (plan.kind === 'known') return row!;
  const served = {
    function_arn: coordinates.function_arn, function_version: String(coordinates.version),
    capabilities: json(coordinates.capabilities),
  };
  const fresh = { status: 'pending', error: null, response: Prisma.DbNull, invoked_at: null, completed_at: null, ...served };
  const hook = row
    ? await tx.pluginHook.update({ where: { id: row.id }, data: fresh })
    : await tx.pluginHook.create({
        data: {
          id: randomUUID(), organization_id: organizationId, plugin_id: pluginId, connector_id: connectorId, hook_type: hookType,
          cycle: plan.cycle, ...served,
        },
      });
  await wakeTask(tx, { worker: pluginTasks.hooks, key: hook.id, tenant: organizationId });
  return hook;
}

/** The function that serves a connector's events, by its active version. */
export async function servedBy(
  tx: Transaction, connectorId: string, version: number | null, pluginId: string,
): Promise<PluginCoordinates | null> {
  const row = version === null
    ? null
    : await tx.versionPlugin.findFirst({ where: { connector_id: connectorId, version, plugin_id: pluginId } });
  if (!row) return null;
  const { function_arn, version: qualifier, capabilities } = versionPluginRow(row);
  return { function_arn, version: qualifier, capabilities };
}

/**
 * Asks for the teardown of every plugin that is set up on a connector that is being deleted. It runs on the function that serves
 * the connector's events until then, which may be newer than that of its setup.
 */
export async function tearDownAll(tx: Transaction, connector: { id: string; active_version: number | null }): Promise<void> {
  const connectorId = connector.id;
  const setUp = await tx.pluginHook.findMany({
    where: { connector_id: connectorId, hook_type: 'setup', status: 'success' }, orderBy: { cycle: 'desc' },
    distinct: ['plugin_id'],
  });
  for (const setup of setUp) await tearDown(tx, setup, connector.active_version);
  await tx.pluginStorage.deleteMany({ where: { connector_id: connectorId } });
}

/** Asks for the teardown of what a setup has set up on a connector that is deleted. */
export async function tearDown(tx: Transaction, setup: PluginHook, activeVersion: number | null): Promise<void> {
  const { capabilities, connector_id: connectorId, function_arn, organization_id: organizationId, plugin_id: pluginId } = setup;
  if (!(await lockPlugin(tx, organizationId, pluginId))) return;
  const ofSetup = { function_arn, version: qualifierOf(setup.function_version), capabilities: capabilities as object };
  const coordinates = (await servedBy(tx, connectorId, activeVersion, pluginId)) ?? ofSetup;
  await ensureHook(tx, { organizationId, pluginId, connectorId, hookType: 'teardown', coordinates });
}
