export { inlineThreads } from './inline-threads';
export { scriptedWorker } from './scripted-worker';
