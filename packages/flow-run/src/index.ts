export { boundedValue, boundsOf, cutText, type ValueBounds } from './bounded-value';
export { type DryRun, type DryRunEvent, dryRunFlow } from './dry-run/dry-run-flow';
export { type MainRecord, mainRecord, wroteSingle } from './main-record';
export { type FlowRun, runFlow, type RunOptions } from './run-flow';
export { secretMask } from './secret-mask';
export { keptText, openTraces, type TraceRules } from './step-trace';
export { sameValue, type ValueRules } from './verify/same-value';
export { notVerifiable, verifyEvent } from './verify/verify-event';
export type { VerifiedProperty, VerifiedRecord, VerifyReader } from './verify/verify-records';
