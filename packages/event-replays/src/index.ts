/** Runs accepted events again: publishes their replays, and works off replay jobs. */
export { publishReplays, type PublishReplaysDeps } from './publish-replays';
export { replayWorker, type ReplayWorkerDeps } from './replay-worker';
