/** config-api as a part of a larger process: `services/standalone` composes it with shared parts. */
export { configApi } from './config-api';
