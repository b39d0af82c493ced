import type { FunctionPlatform } from '@sluice/ports';
import { deployerLab, good } from './test-support/deployer-lab';

/** The process has ended: from here on it does nothing any more. */
class Killed extends Error {}

/** Where a process dies: at which of its calls, and whether the call has happened then. */
interface Death {
  at: number;
  after: boolean;
  calls: number;
}

/** Calls through until the process dies. */
function dying<T extends object>(target: T, death: Death): T {
  return new Proxy(target, {
    get(inner, name) {
      const method: unknown = Reflect.get(inner, name);
      if (typeof method !== 'function' || name === 'arnOf') return method;
      return async (...given: unknown[]): Promise<unknown> => {
        death.calls += 1;
        const { calls, at, after } = death;
        if (calls > at || (calls === at && !after)) throw new Killed();
        const result: unknown = await method.apply(inner, given);
        if (calls === at) throw new Killed();
        return result;
      };
    },
  });
}

type Lab = Awaited<ReturnType<typeof deployerLab>>;

/** Work for the workers of plugin-deployer. `state`: what is there when all of it is done. */
interface Scenario {
  prepare(lab: Lab): Promise<{ state(): Promise<object> }>;
  whole: object;
  /** Calls that it has at least. */
  calls: number;
}

const pluginState = async ({ scene, work }: Lab, id: string) => {
  const { status, liveVersion, errorMessage } = await scene.get(id);
  return { status, liveVersion, errorMessage, operation: await work.nextOperation(id) };
};
const hookState = async ({ hooks }: Lab, pluginId: string) =>
  (await hooks(pluginId)).map((hook) => [hook.hookType, hook.cycle, hook.status]).sort();

/** A push, a promotion to live that reaches two connectors, their setups, and the deletion of another plugin. */
const succeeding: Scenario = {
  prepare: async (lab) => {
    const { plugin, functionArn, connectors } = await lab.used(good, { users: 2 });
    const doomed = await lab.used();
    await lab.store.connectors.delete(doomed.plugin.organizationId, doomed.connectors[0]!);
    await lab.scene.push(plugin.id, good);
    await lab.scene.promote(plugin.id, 'live');
    await lab.store.plugins.remove(doomed.plugin.organizationId, doomed.plugin.id);
    const has = (qualifier: number) => lab.functions.has({ organizationId: plugin.organizationId, functionArn, qualifier });
    return {
      state: async () => ({
        plugin: await pluginState(lab, plugin.id),
        versions: await Promise.all(connectors.map(async (id) => (await lab.store.plugins.versionPlugins(id, 1))[0]!.version)),
        published: await Promise.all([1, 2, 3].map(has)),
        hooks: await hookState(lab, plugin.id),
        setUp: new Set(lab.functions.calls.map(({ payload }) => (payload as { connector_id: string }).connector_id)).size,
        removed: [
          await lab.work.removedFunction(doomed.functionArn),
          await lab.functions.has({ ...doomed.plugin, functionArn: doomed.functionArn, qualifier: 1 }),
        ],
      }),
    };
  },
  whole: {
    plugin: { status: 'live', liveVersion: 2, errorMessage: null, operation: null },
    versions: [2, 2],
    published: [true, true, false],
    hooks: [['setup', 1, 'success'], ['setup', 1, 'success']],
    setUp: 2,
    removed: [null, false],
  },
  calls: 20,
};

const failing = "exports.handler = () => { throw new Error('no account'); };";

/** A push and a promotion of code that cannot run, a setup that fails, and the teardown of a deleted connector. */
const failingOnes: Scenario = {
  prepare: async (lab) => {
    const [torn, broken, hooked] = [await lab.used(), await lab.used(), await lab.used(failing)];
    await lab.scene.promote(torn.plugin.id, 'live');
    await lab.drain();
    await lab.store.connectors.delete(torn.plugin.organizationId, torn.connectors[0]!);
    await lab.scene.push(broken.plugin.id, 'exports.handler = null;');
    await lab.scene.promote(broken.plugin.id, 'live');
    await lab.scene.promote(hooked.plugin.id, 'live');
    return {
      state: async () => ({
        torn: [await pluginState(lab, torn.plugin.id), await hookState(lab, torn.plugin.id)],
        broken: [await pluginState(lab, broken.plugin.id), await hookState(lab, broken.plugin.id)],
        hooked: [await pluginState(lab, hooked.plugin.id), await hookState(lab, hooked.plugin.id)],
      }),
    };
  },
  whole: {
    torn: [
      { status: 'live', liveVersion: 2, errorMessage: null, operation: null },
      [['setup', 1, 'success'], ['teardown', 1, 'success']],
    ],
    broken: [
      { status: 'error', liveVersion: 1, errorMessage: expect.stringMatching(/^The promotion to live failed/), operation: null },
      [],
    ],
    hooked: [
      { status: 'error', liveVersion: 2, errorMessage: expect.stringContaining('no account'), operation: null },
      [['setup', 1, 'failed']],
    ],
  },
  calls: 20,
};

/** Lets a process do the work until it dies, and another one the rest. @returns whether the first died, and what is there */
async function runWith({ prepare }: Scenario, death: Death) {
  const lab = await deployerLab();
  const { state } = await prepare(lab);
  const mortal = lab.workersWith({
    work: dying(lab.work, death), functions: dying<FunctionPlatform>(lab.functions, death), runs: dying(lab.runs, death),
  });
  const hasDied = await lab.drain(mortal).then(() => false, (error: unknown) => {
    if (error instanceof Killed) return true;
    throw error;
  });
  await lab.tasks.releaseOwned('a process');
  await lab.drain();
  const tasks = (await lab.tasks.overview()).map((worker) => worker.tasks);
  return { hasDied, state: { ...(await state()), tasks } };
}

const scenarios = { 'what succeeds': succeeding, 'what fails': failingOnes };

describe.each(Object.entries(scenarios))('of %s', (_, scenario) => {
  const moments: [string, boolean][] = [['before', false], ['after', true]];
  test.each(moments)('a process that dies %s any call leaves no half state', async (_when, after) => {
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const { state, hasDied } = await runWith(scenario, { at, after, calls: 0 });
      expect([at, state]).toEqual([at, { ...scenario.whole, tasks: [] }]);
      if (!hasDied) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(scenario.calls);
  });
});
