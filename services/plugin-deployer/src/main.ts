import { runService } from '@sluice/service-kit';
import { pluginDeployer } from './plugin-deployer';

runService(pluginDeployer);
