export * from './compose';
export { runnerSettings } from './settings';
