export { type AskVerify, type AskVerifyDeps, createAskVerify } from './create-ask-verify';
export { createVerifyThreads, type VerifyThreads } from './verify-threads';
export type { UnitToVerify } from './verify-event-job';
export {
  createVerifyEach, createVerifyUnits, unitsToVerify, type VerifyEach, type VerifyEachOptions, type VerifyUnits,
  type VerifyUnitsDeps,
} from './verify-units';
export { askVerifySettings, verifySettings, verifyThreadsOf } from './verify-settings';
export { verifyWorker, type VerifyWorkerDeps } from './verify-worker';
