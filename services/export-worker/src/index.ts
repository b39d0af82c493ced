export { exportWorker } from './export-worker';
