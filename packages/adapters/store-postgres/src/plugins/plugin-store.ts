import { randomUUID } from 'node:crypto';
import {
  type KnownPlugin, noteAudit, type PluginAnswer, type PluginRemoval, type PluginRow, type PluginStore, pluginTasks,
} from '@sluice/ports';
import { asId, inTransaction, isUuid, json, type Reader, type Transaction, violates } from '../config-client/config-client';
import { lockOrganization } from '../config-client/connector-changes';
import { Prisma, type PrismaClient } from '../generated/client';
import { countHooks, hooksOf, requestHook } from './plugin-hooks';
import { promotePlugin, pushPlugin } from './plugin-operations';
import { hookRow, lockPlugin, pluginRow, readPlugin, selectPlugins, versionPluginRow } from './plugin-rows';
import { wakeTask } from './wake-task';

/** Plugins of organizations. */
export function createPluginStore(prisma: PrismaClient): PluginStore {
  return {
    create: (plugin) => namesApart(() => inTransaction(prisma, (tx) => createPlugin(tx, plugin))),

    async list(organizationId, { limit, offset }) {
      const where = { organization_id: asId(organizationId) };
      const rest = Prisma.sql`WHERE p.organization_id = ${asId(organizationId)}::uuid
        ORDER BY p.created_at DESC, p.id LIMIT ${limit} OFFSET ${offset}`;
      const [rows, total] = await Promise.all([selectPlugins(prisma, rest), prisma.plugin.count({ where })]);
      return { items: rows.map(pluginRow), total };
    },

    async get(organizationId, id) {
      const plugin = await readPlugin(prisma, organizationId, id);
      return plugin && (await withFunctions(prisma, [plugin]))[0]!;
    },

    async named(organizationId, names) {
      const rest = Prisma.sql`WHERE p.organization_id = ${asId(organizationId)}::uuid AND p.name = ANY (${[...names]}::text[])`;
      const rows = await selectPlugins(prisma, rest);
      return withFunctions(prisma, rows.map(pluginRow));
    },

    async ownFunctions(organizationId, functionArns) {
      const where = { organization_id: asId(organizationId), function_arn: { in: [...functionArns] }, removed_at: null };
      const rows = await prisma.pluginFunction.findMany({ where });
      return rows.map(({ function_arn, plugin_id }) => ({ functionArn: function_arn, pluginId: plugin_id }));
    },

    async functionsOfOthers(organizationId, functionArns) {
      const where = { organization_id: { not: asId(organizationId) }, function_arn: { in: [...functionArns] } };
      return (await prisma.pluginFunction.findMany({ where })).map(({ function_arn }) => function_arn);
    },

    update: (organizationId, id, { name, capabilities }) => namesApart(() => inTransaction(prisma, async (tx) => {
      if (!(await lockPlugin(tx, organizationId, id))) return { ok: false, reason: 'not_found' };
      const data = { name, updated_at: new Date(), ...(capabilities && { capabilities: json(capabilities) }) };
      await tx.plugin.update({ where: { id }, data });
      return answer(tx, organizationId, id);
    })),

    remove: (organizationId, id) => inTransaction(prisma, (tx) => removePlugin(tx, organizationId, id)),

    push: (organizationId, id, push) => inTransaction(prisma, async (tx) => {
      if (!(await lockPlugin(tx, organizationId, id))) return { ok: false, reason: 'not_found' };
      await pushPlugin(tx, organizationId, id, push);
      return answer(tx, organizationId, id);
    }),

    promote: (organizationId, id, target) => inTransaction(prisma, async (tx) => {
      if (!(await lockPlugin(tx, organizationId, id))) return { ok: false, reason: 'not_found' };
      if (!(await promotePlugin(tx, organizationId, id, target))) return { ok: false, reason: 'not_pushed' };
      return answer(tx, organizationId, id);
    }),

    async source(organizationId, id) {
      const where = { id: asId(id), organization_id: asId(organizationId) };
      return (await prisma.plugin.findFirst({ where, select: { source_code: true } }))?.source_code ?? null;
    },

    async bundle(organizationId, id) {
      const where = { id: asId(id), organization_id: asId(organizationId) };
      const sha256 = (await prisma.plugin.findFirst({ where, select: { bundle_sha256: true } }))?.bundle_sha256;
      const key = { plugin_id: id, sha256: sha256 ?? '' };
      return sha256 ? ((await prisma.pluginBundle.findUnique({ where: { plugin_id_sha256: key } }))?.bundle ?? null) : null;
    },

    async versionPlugins(connectorId, version) {
      const rows = await prisma.versionPlugin.findMany({ where: { connector_id: asId(connectorId), version } });
      return rows.map(versionPluginRow);
    },

    requestHook: (organizationId, hook) => inTransaction(prisma, (tx) => requestHook(tx, organizationId, hook)),

    hooks: async (pluginId, connectorId) =>
      isUuid(pluginId) ? (await hooksOf(prisma, pluginId, connectorId === null ? null : asId(connectorId))).map(hookRow) : [],

    async hookPage(pluginId, connectorId, page) {
      const [id, of] = [asId(pluginId), connectorId === null ? null : asId(connectorId)];
      const [rows, total] = await Promise.all([hooksOf(prisma, id, of, page), countHooks(prisma, id, of)]);
      return { items: rows.map(hookRow), total };
    },
  };
}

async function withFunctions(reader: Reader, plugins: readonly PluginRow[]): Promise<KnownPlugin[]> {
  const functions = await reader.pluginFunction.findMany({
    where: { plugin_id: { in: plugins.map(({ id }) => id) }, removed_at: null },
  });
  return plugins.map((plugin) => ({
    ...plugin,
    functions: functions.filter(({ plugin_id: id }) => id === plugin.id)
      .map(({ function_arn, developer_id }) => ({ functionArn: function_arn, developerId: developer_id })),
  }));
}

async function createPlugin(
  tx: Transaction, { organizationId, name, capabilities, createdById }: Parameters<PluginStore['create']>[0],
): Promise<PluginAnswer> {
  if (!(await lockOrganization(tx, organizationId))) return { ok: false, reason: 'not_found' };
  const id = randomUUID();
  await tx.plugin.create({
    data: { id, organization_id: organizationId, name, capabilities: json(capabilities), created_by_id: createdById },
  });
  noteAudit({ targetId: id });
  return answer(tx, organizationId, id);
}

async function answer(tx: Transaction, organizationId: string, id: string): Promise<PluginAnswer> {
  const plugin = await readPlugin(tx, organizationId, id);
  return plugin ? { ok: true, plugin } : { ok: false, reason: 'not_found' };
}

async function removePlugin(tx: Transaction, organizationId: string, id: string): Promise<PluginRemoval> {
  if (!(await lockPlugin(tx, organizationId, id))) return { ok: false, reason: 'not_found' };
  // A publish that is about to use it holds a lock on it until its version is there.
  const connectors = await tx.$queryRaw<{ id: string; name: string }[]>`
    SELECT DISTINCT c.id, c.name FROM version_plugins v JOIN connectors c ON c.id = v.connector_id AND c.active_version = v.version
    WHERE c.deleted_at IS NULL AND (v.plugin_id = ${id}::uuid
      OR v.function_arn IN (SELECT f.function_arn FROM plugin_functions f WHERE f.plugin_id = ${id}::uuid))
    ORDER BY c.name, c.id LIMIT 100`;
  if (connectors.length > 0) return { ok: false, reason: 'in_use', connectors };
  const where = { plugin_id: id, removed_at: null };
  const functions = await tx.pluginFunction.findMany({ where, select: { function_arn: true } });
  await tx.pluginFunction.updateMany({ where, data: { removed_at: new Date() } });
  for (const { function_arn: key } of functions)
    await wakeTask(tx, { worker: pluginTasks.removals, key, tenant: organizationId });
  await tx.plugin.delete({ where: { id } });
  return { ok: true };
}

async function namesApart(work: () => Promise<PluginAnswer>): Promise<PluginAnswer> {
  try {
    return await work();
  } catch (error) {
    if (violates(error, 'name')) return { ok: false, reason: 'name_taken' };
    throw error;
  }
}
