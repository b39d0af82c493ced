export { type AddressCheck, type AddressCheckOptions, createAddressCheck } from './address-check';
export { PrivateTargetError, type ResolveName } from './checked-lookup';
export { createRestClient, type RestClientOptions } from './create-rest-client';
export { HeaderSet, isHeaderValue } from './header-set';
export { isUnsent } from './is-unsent';
export type { RestCallOptions, RestClient, RestFailure, RestRequest, RestResult } from './rest-client';
