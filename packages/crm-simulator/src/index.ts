export { createCrmSimulator, type CrmSimulator } from './create-crm-simulator';
export { defaultPortalId, SimulatorState, type SimulatorOptions } from './state/simulator-state';
export type { PortalSettings } from './state/portal-settings';
export { PortalState } from './state/portal-state';
