import { randomUUID } from 'node:crypto';
import type { PluginTarget } from '@sluice/contracts';
import { type PluginPush, pluginTasks } from '@sluice/ports';
import type { Transaction } from '../config-client/config-client';
import { wakeTask } from './wake-task';

/** Stores what was pushed and asks for its deployment, in place of one of the same developer that still waits. */
export async function pushPlugin(tx: Transaction, organizationId: string, id: string, push: PluginPush): Promise<void> {
  const { bundle, sha256, source, developerId } = push;
  await tx.pluginBundle.createMany({ data: [{ plugin_id: id, sha256, bundle }], skipDuplicates: true });
  await tx.plugin.update({ where: { id }, data: { bundle_sha256: sha256, source_code: source, updated_at: new Date() } });
  await supersede(tx, { plugin_id: id, kind: 'deploy', developer_id: developerId });
  await add(tx, organizationId, { plugin_id: id, kind: 'deploy', developer_id: developerId, sha256 });
}

/** Asks for the promotion of what was pushed last. @returns false: nothing was */
export async function promotePlugin(
  tx: Transaction, organizationId: string, id: string, target: PluginTarget,
): Promise<boolean> {
  const pushed = await tx.plugin.findUnique({ where: { id }, select: { bundle_sha256: true } });
  if (!pushed?.bundle_sha256) return false;
  await supersede(tx, { plugin_id: id, kind: 'promote', target });
  await add(tx, organizationId, { plugin_id: id, kind: 'promote', target, sha256: pushed.bundle_sha256 });
  return true;
}

type Operation = { plugin_id: string; kind: string; target?: string; developer_id?: string };

/**
 * Ends operations that a newer one replaces, so that their number stays bounded while the platform is away. The first one of the
 * plugin stays: it may be under way.
 */
async function supersede(tx: Transaction, where: Operation): Promise<void> {
  const first = await tx.pluginOperation.findFirst({
    where: { plugin_id: where.plugin_id, state: 'pending' }, orderBy: { seq: 'asc' }, select: { seq: true },
  });
  if (!first) return;
  await tx.pluginOperation.updateMany({
    where: { ...where, state: 'pending', seq: { gt: first.seq } },
    data: { state: 'done', ended_at: new Date(), error: 'replaced by a newer one' },
  });
}

async function add(tx: Transaction, organizationId: string, operation: Operation & { sha256: string }): Promise<void> {
  await tx.pluginOperation.create({ data: { id: randomUUID(), ...operation } });
  await dropBundles(tx, operation.plugin_id);
  await wakeTask(tx, { worker: pluginTasks.operations, key: operation.plugin_id, tenant: organizationId });
}

/** Deletes bundles that nothing needs any more. */
export async function dropBundles(tx: Transaction, pluginId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM plugin_bundles b USING plugins p WHERE b.plugin_id = ${pluginId}::uuid AND p.id = b.plugin_id
      AND b.sha256 IS DISTINCT FROM p.bundle_sha256 AND NOT EXISTS (
        SELECT FROM plugin_operations o WHERE o.plugin_id = b.plugin_id AND o.sha256 = b.sha256 AND o.state = 'pending')`;
}
