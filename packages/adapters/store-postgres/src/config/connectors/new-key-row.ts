import { randomUUID } from 'node:crypto';
import { type NewApiKey, noteAudit } from '@sluice/ports';

/** The columns of a new API key, whoever's it is. Its id is noted for the audit. */
export function newKeyRow({ label, hash, expiresAt, createdById }: NewApiKey) {
  const id = randomUUID();
  noteAudit({ targetId: id });
  return { id, label, key_hash: hash, expires_at: expiresAt ?? null, created_by_id: createdById };
}
