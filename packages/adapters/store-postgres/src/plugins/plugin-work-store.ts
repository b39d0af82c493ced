import { describedStatus, type HookType, type PluginTarget } from '@sluice/contracts';
import type { Fence, HookWork, PluginOperation, PluginWorkStore } from '@sluice/ports';
import { asId, inTransaction, isUuid, json, type Transaction } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import { lockConnector } from '../config-client/connector-changes';
import type { PluginHook, PrismaClient } from '../generated/client';
import { assertFenceOf } from '../tasks/assert-fence';
import { servedBy, tearDown } from './plugin-hooks';
import { dropBundles } from './plugin-operations';
import { qualifierOf } from './plugin-rows';
import { rollOut } from './version-plugins';

/** What plugin-deployer works with. */
export function createPluginWorkStore(prisma: PrismaClient): PluginWorkStore {
  const fenced = <T,>(fence: Fence, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    inTransaction(prisma, async (tx) => {
      await assertFenceOf(tx, fence);
      return work(tx);
    });
  return mapStoreOutage({ ...operationWork(prisma, fenced), ...hookWork(fenced), ...removalWork(prisma, fenced) });
}

type Fenced = <T>(fence: Fence, work: (tx: Transaction) => Promise<T>) => Promise<T>;

type OperationWork = Omit<PluginWorkStore, keyof ReturnType<typeof hookWork> | keyof ReturnType<typeof removalWork>>;

function operationWork(prisma: PrismaClient, fenced: Fenced): OperationWork {
  return {
    async nextOperation(pluginId) {
      const [row] = await prisma.$queryRaw<StoredOperation[]>`
        SELECT o.*, p.organization_id, p.name, greatest(0,
          extract(epoch FROM o.due_at - clock_timestamp()) * 1000)::float8 AS due_in_ms
        FROM plugin_operations o JOIN plugins p ON p.id = o.plugin_id
        WHERE o.plugin_id = ${asId(pluginId)}::uuid AND o.state = 'pending' ORDER BY o.seq LIMIT 1`;
      return row ? operationOf(row) : null;
    },

    async bundle(pluginId, sha256) {
      const where = { plugin_id_sha256: { plugin_id: asId(pluginId), sha256 } };
      return (await prisma.pluginBundle.findUnique({ where }))?.bundle ?? null;
    },

    noteFunction: (fence, { organizationId, pluginId, developerId, functionArn }) => fenced(fence, async (tx) => {
      const known = await tx.$queryRaw<unknown[]>`SELECT 1 FROM plugins WHERE id = ${pluginId}::uuid FOR SHARE`;
      if (known.length === 0) return false;
      const data = { function_arn: functionArn, organization_id: organizationId, plugin_id: pluginId, developer_id: developerId };
      await tx.pluginFunction.createMany({ data: [data], skipDuplicates: true });
      return true;
    }),

    postpone: (fence, id, dueInMs) => fenced(fence, async (tx) => {
      await tx.$executeRaw`
        UPDATE plugin_operations SET tries = tries + 1, due_at = now() + ${dueInMs}::float8 * interval '1 millisecond'
        WHERE id = ${id}::uuid AND state = 'pending'`;
    }),

    deployed: (fence, operation, functionArn) => fenced(fence, async (tx) => {
      if (!(await endOperation(tx, operation, 'done'))) return;
      await tx.plugin.updateMany({
        where: { id: operation.pluginId },
        data: { status: 'dev', function_arn: functionArn, error_message: null, last_deployed_at: new Date() },
      });
    }),

    published: (fence, { id, pluginId, what }, { version }) => fenced(fence, async (tx) => {
      const ours = await tx.pluginOperation.updateMany({ where: { id, state: 'pending' }, data: { version } });
      if (ours.count === 0 || what.kind !== 'promote') return;
      await tx.plugin.updateMany({ where: { id: pluginId }, data: { [versionColumns[what.target]]: version } });
    }),

    async usersOf(pluginId, after, limit) {
      const rows = await prisma.$queryRaw<{ id: string }[]>`
        SELECT DISTINCT c.id FROM version_plugins v JOIN connectors c ON c.id = v.connector_id AND c.active_version = v.version
        WHERE v.plugin_id = ${asId(pluginId)}::uuid AND c.deleted_at IS NULL AND (${after}::uuid IS NULL OR c.id > ${after}::uuid)
        ORDER BY c.id LIMIT ${limit}`;
      return rows.map(({ id }) => id);
    },

    rollOut: (fence, pluginId, connectorId) => fenced(fence, (tx) => rollOut(tx, pluginId, connectorId)),

    promoted: (fence, operation, functionArn) => fenced(fence, async (tx) => {
      if (!(await endOperation(tx, operation, 'done')) || operation.what.kind !== 'promote') return;
      await tx.plugin.updateMany({
        where: { id: operation.pluginId },
        data: { status: operation.what.target, function_arn: functionArn, error_message: null, last_deployed_at: new Date() },
      });
    }),

    failed: (fence, operation, message) => fenced(fence, async (tx) => {
      if (!(await endOperation(tx, operation, 'failed', message))) return;
      await tx.plugin.updateMany({ where: { id: operation.pluginId }, data: { status: 'error', error_message: message } });
    }),
  };
}

const versionColumns = { staging: 'staging_version', live: 'live_version' } as const satisfies Record<PluginTarget, string>;

/** Ends an operation once. @returns false: it had ended, or its plugin was deleted */
async function endOperation(
  tx: Transaction, { id, pluginId }: PluginOperation, state: 'done' | 'failed', error: string | null = null,
): Promise<boolean> {
  const ended = await tx.pluginOperation.updateMany({
    where: { id, state: 'pending' }, data: { state, error, ended_at: new Date() },
  });
  await dropBundles(tx, pluginId);
  return ended.count > 0;
}

interface StoredOperation {
  id: string;
  plugin_id: string;
  organization_id: string;
  name: string;
  kind: string;
  target: string | null;
  developer_id: string | null;
  sha256: string;
  tries: number;
  due_in_ms: number;
  version: number | null;
}

const operationOf = (row: StoredOperation): PluginOperation => ({
  id: row.id,
  pluginId: row.plugin_id,
  organizationId: row.organization_id,
  name: row.name,
  what: row.kind === 'deploy'
    ? { kind: 'deploy', developerId: row.developer_id! }
    : { kind: 'promote', target: row.target as PluginTarget },
  sha256: row.sha256,
  tries: row.tries,
  dueInMs: Math.ceil(row.due_in_ms),
  version: row.version,
});

type HookMethods = Pick<PluginWorkStore, 'beginHook' | 'hookSucceeded' | 'hookFailed'>;

function hookWork(fenced: Fenced): HookMethods {
  return {
    beginHook: (fence, hookId) => fenced(fence, async (tx) => {
      const hook = isUuid(hookId) ? await tx.pluginHook.findUnique({ where: { id: hookId } }) : null;
      const plugin = hook && (await tx.plugin.findUnique({ where: { id: hook.plugin_id }, select: { name: true } }));
      if (hook?.status !== 'pending' || !plugin) return null;
      const connector = await tx.connector.findUnique({ where: { id: hook.connector_id } });
      const isGone = !connector || connector.deleted_at !== null;
      if (isGone && hook.hook_type === 'setup') {
        const data = { status: 'failed', completed_at: new Date(), error: 'The connector was deleted.' };
        await tx.pluginHook.update({ where: { id: hookId }, data });
        return null;
      }
      const served = await servedBy(tx, hook.connector_id, isGone ? null : connector.active_version, hook.plugin_id);
      await tx.pluginHook.update({ where: { id: hookId }, data: { invoked_at: new Date() } });
      const asked = {
        function_arn: hook.function_arn, version: qualifierOf(hook.function_version), capabilities: hook.capabilities as object,
      };
      return {
        id: hookId, pluginId: hook.plugin_id, organizationId: hook.organization_id, connectorId: hook.connector_id,
        pluginName: plugin.name, hookType: hook.hook_type as HookType, cycle: hook.cycle, coordinates: served ?? asked,
      } satisfies HookWork;
    }),

    hookSucceeded: (fence, hookId, response) => fenced(fence, async (tx) => {
      const at = new Date();
      const data = { status: 'success', completed_at: at, error: null, response: json(response) };
      const known = isUuid(hookId) ? await tx.pluginHook.findUnique({ where: { id: hookId } }) : null;
      // Locked, so that a deletion finds the setup done, or the deletion is seen here.
      const isGone = known !== null && (await lockConnector(tx, known.connector_id)) === null;
      const ended = await tx.pluginHook.updateMany({ where: { id: hookId, status: 'pending' }, data });
      const hook = await tx.pluginHook.findUnique({ where: { id: hookId } });
      if (ended.count === 0 || !hook) return;
      if (hook.hook_type === 'setup')
        await tx.plugin.updateMany({ where: { id: hook.plugin_id }, data: { setup_completed_at: at } });
      await heal(tx, hook.plugin_id);
      if (isGone && hook.hook_type === 'setup') await tearDownLate(tx, hook);
    }),

    hookFailed: (fence, hookId, error, last) => fenced(fence, async (tx) => {
      const data = last ? { status: 'failed', error, completed_at: new Date() } : { error };
      const ended = await tx.pluginHook.updateMany({ where: { id: hookId, status: 'pending' }, data });
      const hook = await tx.pluginHook.findUnique({ where: { id: hookId } });
      if (ended.count === 0 || !hook || !last) return;
      const message = `The ${hook.hook_type} hook failed on connector ${hook.connector_id}: ${error}`;
      await tx.plugin.updateMany({ where: { id: hook.plugin_id }, data: { status: 'error', error_message: message } });
    }),
  };
}

/** A plugin in error has the status that its versions describe once a hook has succeeded. */
async function heal(tx: Transaction, id: string): Promise<void> {
  const plugin = await tx.plugin.findUnique({
    where: { id }, select: { status: true, live_version: true, staging_version: true, function_arn: true },
  });
  if (plugin?.status !== 'error') return;
  const status = describedStatus({
    liveVersion: plugin.live_version, stagingVersion: plugin.staging_version, hasFunction: plugin.function_arn !== null,
  });
  await tx.plugin.update({ where: { id }, data: { status, error_message: null } });
}

/** A setup that ended after its connector was deleted: the deletion found nothing that was set up. */
async function tearDownLate(tx: Transaction, setup: PluginHook): Promise<void> {
  const connector = await tx.connector.findUnique({ where: { id: setup.connector_id }, select: { active_version: true } });
  await tearDown(tx, setup, connector?.active_version ?? null);
}

type RemovalMethods = Pick<PluginWorkStore, 'removedFunction' | 'forgetFunction'>;

function removalWork(prisma: PrismaClient, fenced: Fenced): RemovalMethods {
  return {
    async removedFunction(functionArn) {
      const row = await prisma.pluginFunction.findUnique({ where: { function_arn: functionArn } });
      if (!row?.removed_at) return null;
      return { organizationId: row.organization_id, pluginId: row.plugin_id, developerId: row.developer_id };
    },
    forgetFunction: (fence, functionArn) => fenced(fence, async (tx) => {
      await tx.pluginFunction.deleteMany({ where: { function_arn: functionArn, removed_at: { not: null } } });
    }),
  };
}
