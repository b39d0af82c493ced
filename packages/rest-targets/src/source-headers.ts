import { coversHost } from '@sluice/contracts';
import type { CallFailure, SourceCredential } from '@sluice/ports';
import { isHeaderValue } from '@sluice/rest-client';
import type { RestConfig } from '@sluice/sources';
import type { AccessTokens } from './access-tokens';
import type { SourceCredentials } from './source-credentials';

/** The headers of a source that carry secrets, and the texts to mask. */
export interface SecretHeaders {
  ok: true;
  headers: Record<string, string>;
  /** Texts that are masked wherever an answer repeats them. */
  secrets: string[];
  /** The access token in them, needed to report that it was refused. */
  token: string | null;
}

/** What resolves the headers of sources (docs/reference/steps-and-actions.md, Requests to destinations). */
export interface SourceHeadersDeps {
  credentials: SourceCredentials;
  tokens: AccessTokens;
}

type AuthFields = Pick<RestConfig, 'credential_name' | 'auth_type' | 'auth_header' | 'secret_headers'>;

/** A source, and the URL that a request of it is sent to. */
export interface RequestOfSource {
  source: AuthFields;
  url: string;
}

/**
 * The headers that authenticate requests of a source: `secret_headers`, then the header of its credential. `default_headers` are
 * not secret and come before them.
 * @param renew set when a destination refused the headers: credentials are read again, a refused token is replaced
 */
export async function secretHeaders(
  { credentials, tokens }: SourceHeadersDeps,
  organizationId: string,
  { source, url }: RequestOfSource,
  renew?: { refusedToken: string | null },
): Promise<SecretHeaders | CallFailure> {
  const found: SecretHeaders = { ok: true, headers: {}, secrets: [], token: null };
  const target = new URL(url);
  const read = async (name: string): Promise<SourceCredential | CallFailure> => {
    const credential = await credentials.get(organizationId, name, renew !== undefined);
    if (!credential) return missing(name);
    const { allowedHosts } = credential;
    const isAllowed = !allowedHosts || coversHost(allowedHosts, target);
    return isAllowed ? credential : unusable(name, `its allowed_hosts do not cover '${target.host}'`);
  };
  for (const [header, name] of Object.entries(source.secret_headers ?? {})) {
    const credential = await read(String(name));
    if ('ok' in credential) return credential;
    if (credential.type !== 'api_key') return unusable(String(name), `secret_headers take an api_key, not ${credential.type}`);
    found.headers[header] = credential.data.value;
    found.secrets.push(credential.data.value);
  }
  if (source.credential_name !== undefined) {
    const credential = await read(source.credential_name);
    if ('ok' in credential) return credential;
    const own = await credentialHeader(tokens, source, credential, renew?.refusedToken ?? undefined);
    if (!own.ok) return own;
    Object.assign(found.headers, own.headers);
    found.secrets.push(...own.secrets);
    found.token = own.token;
  }
  const broken = Object.entries(found.headers).find(([, value]) => !isHeaderValue(value));
  return broken ? unusable(source.credential_name ?? broken[0], 'its secret has characters that no header may carry') : found;
}

async function credentialHeader(
  tokens: AccessTokens, source: AuthFields, credential: SourceCredential, refusedToken: string | undefined,
): Promise<SecretHeaders | CallFailure> {
  const answer = (headers: Record<string, string>, secrets: string[], token: string | null = null): SecretHeaders =>
    ({ ok: true, headers, secrets, token });
  switch (credential.type) {
    case 'oauth2_client_credentials': {
      const fetched = await tokens.get(credential.data, refusedToken);
      if (!fetched.ok) return fetched;
      return answer({ Authorization: `Bearer ${fetched.token}` }, [fetched.token, credential.data.client_secret], fetched.token);
    }
    case 'login':
      // Its user name and password stay inside: no header is made of them.
      return answer({}, []);
    default: {
      const secret = credential.type === 'api_key' ? credential.data.value : credential.data.token;
      const authType = source.auth_type ?? (credential.type === 'api_key' ? 'header' : 'bearer');
      if (authType === 'header') return answer({ [source.auth_header ?? 'X-API-Key']: secret }, [secret]);
      if (authType === 'bearer') return answer({ Authorization: `Bearer ${secret}` }, [secret]);
      const basic = Buffer.from(`${secret}:`).toString('base64');
      return answer({ Authorization: `Basic ${basic}` }, [secret, basic]);
    }
  }
}

const missing = (name: string): CallFailure =>
  ({ ok: false, kind: 'fatal', code: 'target_credential_missing', message: `the credential '${name}' does not exist any more` });

const unusable = (name: string, why: string): CallFailure =>
  ({ ok: false, kind: 'fatal', code: 'target_credential_unusable', message: `the credential '${name}': ${why}` });
