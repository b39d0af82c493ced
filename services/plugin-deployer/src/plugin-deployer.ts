import { externalStores, openFunctionParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composePluginDeployer, type PluginDeployerParts } from './compose';
import { pluginDeployerSettings } from './settings';

/** Deploys and promotes plugins, runs their lifecycle hooks, and removes what was deleted from the function platform. */
export const pluginDeployer = productService({
  name: 'plugin-deployer', version: packageJson.version,
  settings: pluginDeployerSettings,
  required: () => externalStores,
  callsCrm: false,
  openParts: ({ settings, logger, metrics, lifecycle }): PluginDeployerParts =>
    openFunctionParts(settings, { service: 'plugin-deployer', logger, metrics }, lifecycle),
  compose: composePluginDeployer,
});
