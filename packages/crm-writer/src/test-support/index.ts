export { type SimulatedCrm, startSimulatedCrm } from './simulated-crm';
export { testContext } from './test-context';
export { startTestPortal, type TestPortal, type TestWriter } from './test-portal';
export { testWriter } from './test-writer';
