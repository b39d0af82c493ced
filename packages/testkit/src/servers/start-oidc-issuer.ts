import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign, type SignOptions } from 'jsonwebtoken';

/** How the issuer signs a token, and what it says in it; a claim that is undefined is left out. */
export interface IssuedToken {
  claims?: Readonly<Record<string, unknown>>;
  algorithm?: 'RS256' | 'HS256' | 'none';
  /** Signed with a key that is not among the issuer's. */
  strangeKey?: boolean;
  /** What the UserInfo endpoint says besides the subject of the token; an answer about another subject has `sub` here. */
  userInfo?: Readonly<Record<string, unknown>>;
}

/** An OpenID issuer with one client, on this machine. */
export interface TestOidcIssuer {
  url: string;
  clientId: string;
  clientSecret: string;
  /** What the next tokens say. */
  issue(token: IssuedToken): void;
  /** Answers 503 from now on, or no longer. */
  setAway(away: boolean): void;
  /** Follows an authorization URL as a person who signs in: the query with which the browser comes back. */
  signIn(authorizationUrl: string): string;
  /** Reads of the key set. */
  keyReads(): number;
  stop(): Promise<void>;
}

interface Grant {
  nonce: string | null;
  challenge: string | null;
  redirectUri: string | null;
}

const newKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const [own, strange] = [newKeys(), newKeys()];

/** Starts an issuer that checks codes, client secret and PKCE, and signs what a test says. */
export async function startOidcIssuer(): Promise<TestOidcIssuer> {
  const [clientId, clientSecret] = ['sluice', randomBytes(24).toString('hex')];
  const grants = new Map<string, Grant>();
  const accessTokens = new Set<string>();
  let next: IssuedToken = {};
  let away = false;
  let reads = 0;
  let url = '';

  const token = (form: URLSearchParams, authorization: string | undefined): [number, object] => {
    const grant = grants.get(form.get('code') ?? '');
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const proof = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
    if (authorization !== basic) return [401, { error: 'invalid_client' }];
    if (!grant || grant.redirectUri !== form.get('redirect_uri') || grant.challenge !== proof)
      return [400, { error: 'invalid_grant' }];
    grants.delete(form.get('code')!);
    const idToken = signed(next, { iss: url, aud: clientId, nonce: grant.nonce }, clientSecret);
    const accessToken = randomUUID();
    accessTokens.add(accessToken);
    return [200, { access_token: accessToken, token_type: 'bearer', expires_in: 60, id_token: idToken }];
  };

  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    if (away) return [503, { error: 'temporarily_unavailable' }];
    switch (new URL(request.url!, url).pathname) {
      case '/.well-known/openid-configuration':
        return [200, discovery(url)];
      case '/keys':
        reads += 1;
        return [200, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] }];
      case '/token':
        return token(new URLSearchParams(await bodyOf(request)), request.headers.authorization);
      case '/userinfo':
        if (!accessTokens.has(request.headers.authorization?.split(' ')[1] ?? '')) return [401, { error: 'invalid_token' }];
        return [200, { sub: next.claims?.['sub'] ?? 'ada', ...next.userInfo }];
      default:
        return [404, {}];
    }
  };

  const server = createServer((request, response) => void answer(request).then((sent) => send(response, sent)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url, clientId, clientSecret,
    issue: (issued) => { next = issued; },
    setAway: (gone) => { away = gone; },
    signIn: (authorizationUrl) => {
      const { searchParams } = new URL(authorizationUrl);
      const code = randomUUID();
      grants.set(code, {
        nonce: searchParams.get('nonce'), challenge: searchParams.get('code_challenge'),
        redirectUri: searchParams.get('redirect_uri'),
      });
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
    },
    keyReads: () => reads,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

const discovery = (url: string): object => ({
  issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token`, jwks_uri: `${url}/keys`,
  userinfo_endpoint: `${url}/userinfo`,
  response_types_supported: ['code'], subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

function signed({ algorithm = 'RS256', claims = {}, strangeKey = false }: IssuedToken, facts: object, secret: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const all = { sub: 'ada', iat: now, exp: now + 60, ...facts, ...claims };
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const pem = (strangeKey ? strange : own).privateKey.export({ format: 'pem', type: 'pkcs1' });
  const key = { RS256: pem, HS256: secret, none: '' }[algorithm];
  return sign(payload, key, { algorithm, ...(algorithm === 'RS256' && { keyid: 'own' }) } as SignOptions);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function send(response: ServerResponse, [status, body]: [number, object]): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
