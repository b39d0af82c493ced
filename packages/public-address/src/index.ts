export * from './denied-targets';
export { isPrivateTarget } from './private-target';
export { isPublicAddress } from './public-address';
export * from './request-headers';
