import type { ApiKeyRow } from '@sluice/ports';
import { iso, isoOrNull } from './iso';

/** A key as lists show it. An expired key is not active, although it was not revoked. */
export function apiKeyView(key: ApiKeyRow) {
  const expired = key.expiresAt !== null && key.expiresAt <= new Date();
  return {
    id: key.id, label: key.label, is_active: key.revokedAt === null && !expired,
    created_at: iso(key.createdAt), last_used_at: isoOrNull(key.lastUsedAt), expires_at: isoOrNull(key.expiresAt),
  };
}
