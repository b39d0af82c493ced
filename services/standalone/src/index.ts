export { demoEvents, type DemoEvent, type EventBody } from './demo/demo-events';
export type { StandaloneFile } from './standalone-file';
