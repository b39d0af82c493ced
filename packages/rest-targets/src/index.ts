export { createRestTargets, type OutboundHeaders, type RestTargetsDeps, type TargetRun, type Targets } from './rest-targets';
export { createSourcePages, type RequestFields, type SourcePages, type SourcePagesDeps } from './source-pages';
