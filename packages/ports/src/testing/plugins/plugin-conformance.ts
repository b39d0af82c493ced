import { pluginHookTests } from './plugin-hook-tests';
import type { PluginLab } from './plugin-lab';
import { pluginRunTests } from './plugin-run-tests';
import { pluginStoreTests } from './plugin-store-tests';
import { pluginWorkTests } from './plugin-work-tests';

/**
 * What every store of plugins must do: what config-api, plugin-deployer and runs of plugins rely on. Call it at the top level of
 * a test file.
 * @param makeLab called once
 */
export function pluginConformance(name: string, makeLab: () => Promise<PluginLab>): void {
  describe(`${name} keeps plugins`, () => {
    let lab: PluginLab;
    beforeAll(async () => {
      lab = await makeLab();
    });
    afterAll(() => lab.close());

    describe('for their owners', () => pluginStoreTests(() => lab));
    describe('with their hooks', () => pluginHookTests(() => lab));
    describe('for plugin-deployer', () => pluginWorkTests(() => lab));
    describe('for their runs', () => pluginRunTests(() => lab));
  });
}
