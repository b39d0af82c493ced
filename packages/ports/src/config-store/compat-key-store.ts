import type { NewApiKey } from './organization-store';
import type { Page, PageRequest } from './page';

/** A key of the legacy-compatible ingress of one connector: a secret that the legacy system already uses. */
export interface CompatKeyRow {
  id: string;
  label: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/**
 * Keys of the legacy-compatible ingress. Only the hash of a secret is stored, once per connector: a revoked secret cannot be
 * imported again, because that could undo a revocation unnoticed.
 */
export interface CompatKeyStore {
  /** `duplicate`: the connector has, or had, a key of this hash. null: no such connector. Throws `KeyLimitReached`. */
  create(connectorId: string, key: Omit<NewApiKey, 'expiresAt'>): Promise<CompatKeyRow | 'duplicate' | null>;
  /** The usable key of a hash, and notes that it is used; null: there is none. */
  use(connectorId: string, hash: string): Promise<{ id: string } | null>;
  /** Newest first, revoked ones too. */
  list(connectorId: string, page: PageRequest): Promise<Page<CompatKeyRow>>;
  /** False when the connector has no such key. */
  revoke(connectorId: string, keyId: string): Promise<boolean>;
}
