export { scriptedWorker } from './scripted-worker';
