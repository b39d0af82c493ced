import { createMemoryKeyValue } from '@sluice/kv-memory';
import { composeAlone, parseSettings } from '@sluice/service-kit';
import { testContext } from '@sluice/service-parts/test-support';
import { composePluginDeployer } from './compose';
import { pluginDeployer } from './plugin-deployer';
import { pluginDeployerSettings } from './settings';
import { deployerLab } from './test-support/deployer-lab';

test('has its workers run by the lifecycle, and no routes', async () => {
  const context = testContext('plugin-deployer', parseSettings(pluginDeployerSettings, {}));
  const { functions, runs: pluginRuns, work: pluginWork, tasks } = await deployerLab();
  const app = composePluginDeployer({ kv: createMemoryKeyValue(), functions, pluginRuns, pluginWork, tasks }, context);
  expect(app.handle).toBeUndefined();
  expect(await context.health.ready()).toEqual({ status: 'ok', checks: {} });
});

test('a service of its own names every part it lacks before it starts', () => {
  for (const setting of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL'])
    expect(() => composeAlone(pluginDeployer, {})).toThrow(setting);
});
