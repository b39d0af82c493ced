import { createHash, randomUUID } from 'node:crypto';
import type { PluginCapabilities } from '@sluice/contracts';
import type { ConfigStore, PluginRow, VersionPlugin } from '../../config-store';
import type { FunctionName } from '../../plugins/function-platform';
import type { PluginRunStore, PluginWrite } from '../../plugins/plugin-run-store';
import type { PluginOperation, PluginWorkStore } from '../../plugins/plugin-work-store';
import type { RunStore } from '../../run-store/run-store';
import type { Fence, TaskStore } from '../../tasks/task-store';
import { newConnector, newVersion, ok } from '../config-store/config-store-lab';
import { aSettlement, ownPartition } from '../run-store/run-store-lab';

/** What the suite of plugins needs: four stores on the same data. */
export interface PluginLab {
  store: ConfigStore;
  work: PluginWorkStore;
  runs: PluginRunStore;
  runStore: RunStore;
  tasks: TaskStore;
  close(): Promise<void>;
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

export const aPush = (bundle: string, over: { source?: string | null; developerId?: string } = {}) =>
  ({ bundle, sha256: hashOf(bundle), source: `// ${bundle}`, developerId: 'dev-1', ...over });

/** An organization with what a plugin of it needs. */
export class PluginScene {
  private constructor(private readonly lab: PluginLab, readonly organizationId: string) {}

  static async open(lab: PluginLab): Promise<PluginScene> {
    const { accounts } = lab.store;
    const email = `${randomUUID()}@shop.example`;
    const { organizationId } = ok(
      await accounts.create({ email, passwordHash: 'hash', organizationName: 'Shop', tier: 'enterprise' }),
    );
    return new PluginScene(lab, organizationId);
  }

  async plugin(over: { name?: string; capabilities?: PluginCapabilities } = {}): Promise<PluginRow> {
    const { organizationId } = this;
    const name = over.name ?? `plugin ${randomUUID()}`;
    return ok(await this.lab.store.plugins.create({
      organizationId, name, capabilities: over.capabilities ?? {}, createdById: null,
    })).plugin;
  }

  get = async (id: string): Promise<PluginRow> => (await this.lab.store.plugins.get(this.organizationId, id))!;

  push = async (id: string, bundle: string, over: Parameters<typeof aPush>[1] = {}): Promise<PluginRow> =>
    ok(await this.lab.store.plugins.push(this.organizationId, id, aPush(bundle, over))).plugin;

  promote = async (id: string, target: 'staging' | 'live'): Promise<PluginRow> =>
    ok(await this.lab.store.plugins.promote(this.organizationId, id, target)).plugin;

  functionOf = (pluginId: string, developerId: string | null = null): FunctionName & { functionArn: string } => {
    const { organizationId } = this;
    const suffix = developerId === null ? '' : `-dev-${developerId}`;
    return { organizationId, pluginId, developerId,
      functionArn: `arn:sluice:local:function:${organizationId}-${pluginId}${suffix}` };
  };

  async connector(name = 'Shop'): Promise<string> {
    const wanted = newConnector(this.organizationId, { name });
    return ok(await this.lab.store.connectors.create(wanted)).connector.id;
  }

  /** Publishes a version that uses these plugins. */
  async publish(connectorId: string, plugins: VersionPlugin[], baseVersion = 0): Promise<number> {
    const answer = await this.lab.store.drafts.publish(newVersion(connectorId, { baseVersion, plugins }));
    return ok(answer).version.version;
  }

  live = (plugin: PluginRow, over: Partial<VersionPlugin> = {}): VersionPlugin => ({
    logicalName: plugin.name, pluginId: plugin.id, origin: 'live', function_arn: this.functionOf(plugin.id).functionArn,
    version: plugin.liveVersion ?? 0, capabilities: plugin.capabilities, ...over,
  });

  /** A connector whose active version uses a plugin. */
  async user(plugin: PluginRow, over: Partial<VersionPlugin> = {}): Promise<string> {
    const connectorId = await this.connector();
    await this.publish(connectorId, [this.live(plugin, over)]);
    return connectorId;
  }

  /** Takes a task that is due, as a process does, and ends it after the work. */
  async running<T>(worker: string, key: string, work: (fence: Fence) => Promise<T>): Promise<T> {
    const fence = await this.claim(worker, key);
    const result = await work(fence);
    await this.lab.tasks.finish(fence, { next: 'removed', error: null, retry: false });
    return result;
  }

  async claim(worker: string, key: string): Promise<Fence> {
    const { runs } = await this.lab.tasks.claim('suite', [{ worker, limit: 1_000, leaseMs: 60_000, exceptTenants: [] }]);
    const mine = runs.find((run) => run.key === key);
    await this.lab.tasks.release(runs.filter((run) => run !== mine));
    if (!mine) throw new Error(`no task of ${worker} is due for ${key}`);
    return { worker, key, epoch: mine.epoch };
  }

  isDue = (worker: string, key: string): Promise<boolean> =>
    this.claim(worker, key).then(async (fence) => (await this.lab.tasks.release([fence]), true), () => false);

  /** Does the next operation of a plugin as plugin-deployer does when nothing fails. */
  async operate(pluginId: string, version = 1): Promise<PluginOperation> {
    return this.running('plugins.operations', pluginId, async (fence) => {
      const { work } = this.lab;
      const operation = (await work.nextOperation(pluginId))!;
      const fn = this.functionOf(pluginId, operation.what.kind === 'deploy' ? operation.what.developerId : null);
      await work.noteFunction(fence, fn);
      if (operation.what.kind === 'deploy') await work.deployed(fence, operation, fn.functionArn);
      else {
        await work.published(fence, operation, { version, functionArn: fn.functionArn });
        for (const connectorId of await work.usersOf(pluginId, null, 100)) await work.rollOut(fence, pluginId, connectorId);
        await work.promoted(fence, operation, fn.functionArn);
      }
      return operation;
    });
  }

  /** A plugin whose first live version is in use. */
  async livePlugin(over: Parameters<PluginScene['plugin']>[0] = {}): Promise<PluginRow> {
    const { id } = await this.plugin(over);
    await this.push(id, 'first');
    await this.operate(id);
    await this.promote(id, 'live');
    await this.operate(id);
    return this.get(id);
  }

  /** Stores values of a plugin, with the outcome of an event. */
  async write(connectorId: string, pluginWrites: PluginWrite[]): Promise<void> {
    const lease = await ownPartition(this.lab.runStore);
    await this.lab.runStore.settle([aSettlement(lease, { connectorId, pluginWrites })]);
  }
}
