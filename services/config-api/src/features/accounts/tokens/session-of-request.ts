import type { Request } from 'express';
import type { SessionClaims, SessionTokens } from '../../../auth/session-token';

/**
 * The session token of a request that may have none, read without asking the store; null for none and for one that is no good.
 */
export function sessionOfRequest(tokens: SessionTokens, request: Request): SessionClaims | null {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const read = token === undefined ? null : tokens.read(token);
  return read?.ok ? read.claims : null;
}
