export { createConfigReader } from './create-config-reader';
export { createConfigStore } from './create-config-store';
