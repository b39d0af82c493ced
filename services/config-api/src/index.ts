/** config-api as a part of a larger process: `services/standalone` composes it with shared adapters. */
export { composeConfigApi, type ConfigApi, type ConfigApiOverrides } from './compose';
export type { ServiceStanding } from './deps';
export { configApiSettings, type ConfigApiSettings } from './settings';
