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

/**
 * A push, a promotion to live that reaches two connectors, their setups, and the deletion of another plugin, by processes of
 * which the first dies. @returns what is there afterwards, and whether it died
 */
async function runWith(death: Death) {
  const lab = await deployerLab();
  const { plugin, functionArn, connectors } = await lab.used(good, { users: 2 });
  const doomed = await lab.used();
  await lab.store.connectors.delete(doomed.plugin.organizationId, doomed.connectors[0]!);
  await lab.scene.push(plugin.id, good);
  await lab.scene.promote(plugin.id, 'live');
  await lab.store.plugins.remove(doomed.plugin.organizationId, doomed.plugin.id);
  const mortal = lab.workersWith({ work: dying(lab.work, death), functions: dying<FunctionPlatform>(lab.functions, death) });
  const hasDied = await lab.drain(mortal).then(() => false, (error: unknown) => {
    if (error instanceof Killed) return true;
    throw error;
  });
  await lab.tasks.releaseOwned('a process');
  await lab.drain();
  const { status, liveVersion, errorMessage } = await lab.scene.get(plugin.id);
  const versions = await Promise.all(connectors.map((id) => lab.store.plugins.versionPlugins(id, 1)));
  const has = (qualifier: number) => lab.functions.has({ organizationId: plugin.organizationId, functionArn, qualifier });
  const state = {
    plugin: { status, liveVersion, errorMessage },
    versions: versions.map(([one]) => one!.version),
    published: await Promise.all([1, 2, 3].map(has)),
    hooks: (await lab.hooks(plugin.id)).map((hook) => [hook.hookType, hook.cycle, hook.status]),
    setUp: new Set(lab.functions.calls.map(({ payload }) => (payload as { connector_id: string }).connector_id)).size,
    operation: await lab.work.nextOperation(plugin.id),
    removed: [
      await lab.work.removedFunction(doomed.functionArn),
      await lab.functions.has({ ...doomed.plugin, functionArn: doomed.functionArn, qualifier: 1 }),
    ],
    tasks: (await lab.tasks.overview()).map((worker) => worker.tasks),
  };
  return { state, hasDied };
}

const whole = {
  plugin: { status: 'live', liveVersion: 2, errorMessage: null },
  versions: [2, 2],
  published: [true, true, false],
  hooks: [['setup', 1, 'success'], ['setup', 1, 'success']],
  setUp: 2,
  operation: null,
  removed: [null, false],
  tasks: [],
};

test.each([['before', false], ['after', true]])('a process that dies %s any call leaves no half state', async (_, after) => {
  let deaths = 0;
  for (let at = 1; ; at += 1) {
    const { state, hasDied } = await runWith({ at, after, calls: 0 });
    expect([at, state]).toEqual([at, whole]);
    if (!hasDied) break;
    deaths += 1;
  }
  // Push, promotion, two connectors, two hooks and two removals have this many calls at least.
  expect(deaths).toBeGreaterThan(20);
});
