/** config-api as a part of a larger process: `services/standalone` composes it with shared parts. */
export { composeConfigApi, type ConfigApi, type ConfigApiOptions, type ConfigApiParts } from './compose';
export type { ServiceInstance } from '@sluice/service-parts';
export { configApiSettings, type ConfigApiSettings } from './settings';
