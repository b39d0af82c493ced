export { createRestTargets, type RestTargetsDeps, type TargetRun } from './rest-targets';
