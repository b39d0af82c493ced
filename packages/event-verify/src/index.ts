export { type AskVerify, type AskVerifyDeps, createAskVerify } from './create-ask-verify';
export { createVerifyThreads, type VerifyThreads } from './verify-threads';
export { createVerifyUnits, unitsToVerify, type VerifyUnits, type VerifyUnitsDeps } from './verify-units';
export { askVerifySettings, verifySettings, verifyThreadsOf } from './verify-settings';
export { verifyWorker, type VerifyWorkerDeps } from './verify-worker';
