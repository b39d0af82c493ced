export { createRestTargets, type OutboundHeaders, type RestTargetsDeps, type TargetRun, type Targets } from './rest-targets';
