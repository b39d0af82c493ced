export { flowRunner } from './flow-runner';
export { flowRunnerSettings } from './settings';
