export { type CountVerified, createVerifyRows, type VerifyRows, type VerifyRowsDeps } from './verify-rows';
export { createVerifyThreads, type VerifyThreads } from './verify-threads';
export { verifySettings, verifyThreadsOf } from './verify-settings';
