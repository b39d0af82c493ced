import type { CompatKeyRow } from '@sluice/ports';
import { iso, isoOrNull } from '../../http/iso';

/** A compat key as lists show it. */
export const compatKeyView = ({ id, label, createdAt, lastUsedAt, revokedAt }: CompatKeyRow) => ({
  id, label, is_active: revokedAt === null, created_at: iso(createdAt), last_used_at: isoOrNull(lastUsedAt),
});
