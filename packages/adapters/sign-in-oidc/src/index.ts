export { createOidcProvider, type OidcProviderOptions } from './create-oidc-provider';
