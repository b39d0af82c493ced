import type { SourceProblem } from './define-source';

/** Names of authentication values. */
const credentialHeader = /^(?:proxy-)?authorization$|^cookie$|token|secret|password|api[-_]?key/i;
const secretParameter = /^(?:access_token|token|api_?key|password|secret|client_secret)$/i;

/** Whether a key that is no field of a source is the name of a secret. */
export const isSecretKey = (key: string): boolean => credentialHeader.test(key);

/** The problem of a secret in a definition. Its value is not repeated. */
export const secretProblem = (path: SourceProblem['path']): SourceProblem => ({
  code: 'secret_not_declarable',
  path,
  message: `secret_not_declarable: '${path.at(-1)}' cannot be part of a source definition`,
});

/**
 * Whether a header authenticates the caller: its value belongs in a credential, which `credential_name` and `secret_headers`
 * name.
 */
export const isCredentialHeader = (name: string, value: unknown): boolean =>
  credentialHeader.test(name) || (typeof value === 'string' && /^(?:bearer|basic)\s/i.test(value));

/** Whether a URL carries a user, a password or a parameter that is a key. */
export const hasSecret = (url: URL): boolean =>
  url.username !== '' || url.password !== '' || [...url.searchParams.keys()].some((name) => secretParameter.test(name));
