export * from './api-error';
export type { ApiClientOptions } from './call-route';
export * from './create-api-client';
export { signIn } from './sign-in';
