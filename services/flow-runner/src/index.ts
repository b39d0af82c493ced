export { flowRunner } from './flow-runner';
