export { createConfigReader, createConnectorReader } from './create-config-reader';
export { createConfigStore } from './create-config-store';
