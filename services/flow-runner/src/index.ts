export { flowRunner } from './flow-runner';
export { runnerSettings } from './settings';
