/** config-api as a part of a larger process: `services/standalone` composes it with shared parts. */
export { configApi } from './config-api';
export type { ServiceInstance } from '@sluice/service-parts';
export { configApiSettings, type ConfigApiSettings } from './settings';
