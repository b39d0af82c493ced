export { type DryRun, type DryRunEvent, dryRunFlow } from './dry-run/dry-run-flow';
export { earlierSteps, type EarlierSteps, haveWritten, keptSteps } from './kept-steps';
export { type MainRecord, mainRecord, wroteSingle } from './main-record';
export { FlowInterrupted, type FlowRun, runFlow, type RunOptions } from './run-flow';
export { openTraces, type TraceRules } from './step-trace';
export { UsedSecrets } from './used-secrets';
export type { ValueRules } from './verify/same-value';
export { notVerifiable, verifyEvent } from './verify/verify-event';
export type { VerifiedProperty, VerifiedRecord, VerifyReader } from './verify/verify-records';
