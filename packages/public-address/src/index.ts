export { isPrivateTarget } from './private-target';
export { isPublicAddress } from './public-address';
