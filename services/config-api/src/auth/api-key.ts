import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@sluice/service-kit';

/** First letters of a key, which show its kind when a key is found in a log or a repository. */
const prefixes = { organization: 'slo_', connector: 'slc_' } as const;
export type ApiKeyKind = keyof typeof prefixes;

/** A new key and the hash under which it is stored. The key is shown once and not stored. */
export function newApiKey(kind: ApiKeyKind): { rawKey: string; hash: string } {
  const rawKey = prefixes[kind] + randomBytes(32).toString('base64url');
  return { rawKey, hash: sha256Hex(rawKey) };
}

/** Whether a bearer token claims to be an organization key. */
export const looksLikeOrganizationKey = (token: string): boolean => token.startsWith(prefixes.organization);
