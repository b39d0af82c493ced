import { externalParts, openParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { composeFlowRunner, type FlowRunnerParts } from './compose';
import { flowRunnerSettings } from './settings';

const [name, version] = ['flow-runner', packageJson.version] as const;

/** Runs flows over events and writes to the CRM. */
export const flowRunner = productService({
  name, version,
  settings: flowRunnerSettings,
  required: () => externalParts,
  callsCrm: true,
  openParts: ({ settings, logger, metrics, lifecycle }): FlowRunnerParts => {
    const { crmConnections } = settings;
    return openParts(settings, { service: name, logger, metrics, crmConnections, startWithoutDatabase: true }, lifecycle);
  },
  compose: composeFlowRunner,
});
