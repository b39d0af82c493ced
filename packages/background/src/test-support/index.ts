export { runContext } from './run-context';
