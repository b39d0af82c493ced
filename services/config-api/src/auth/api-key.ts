import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@sluice/service-kit';

/** First letters of a key: whoever finds one in a log or a repository can tell what it opens. */
const prefixes = { organization: 'slo_', connector: 'slc_' } as const;
export type ApiKeyKind = keyof typeof prefixes;

/** A new key and the hash under which it is stored. The key is shown once and kept nowhere. */
export function newApiKey(kind: ApiKeyKind): { rawKey: string; hash: string } {
  const rawKey = prefixes[kind] + randomBytes(32).toString('base64url');
  return { rawKey, hash: sha256Hex(rawKey) };
}

/** Whether a bearer token claims to be an organization key. */
export const looksLikeOrganizationKey = (token: string): boolean => token.startsWith(prefixes.organization);
