export { exportWorker } from './export-worker';
export { exportWorkerSettings } from './settings';
