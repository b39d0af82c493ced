export { pluginDeployer } from './plugin-deployer';
