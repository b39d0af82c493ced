import type { ConnectorStatus, Ordering, WriteCapState } from '@sluice/contracts';
import type { ApiKeyRow, NewApiKey } from './organization-store';
import type { WriteCap } from '../run-store/write-cap-store';
import type { Page, PageRequest } from './page';

export interface ConnectorRow {
  id: string;
  organizationId: string;
  name: string;
  mode: 'live' | 'test';
  status: ConnectorStatus;
  credentialId: string | null;
  defaultStoreId: string | null;
  settings: Record<string, unknown>;
  createdById: string | null;
  createdAt: Date;
  updatedAt: Date;
  activeVersion: number | null;
  /** The portal binding in force. */
  binding: { credentialId: string; portalId: string; epoch: number } | null;
  /** The cap of its first sync; null: none applies, or nothing was published yet. */
  writeCap: WriteCap | null;
}

export interface NewConnector {
  organizationId: string;
  name: string;
  mode: 'live' | 'test';
  credentialId: string | null;
  createdById: string | null;
  apiKey: NewApiKey | null;
  /** null: unlimited. */
  connectorsLimit: number | null;
  /** Its first draft, created with it. Default: an empty one at the first read. */
  draft?: { config: unknown; updatedBy: string };
}

export interface ConnectorPatch {
  name?: string;
  status?: ConnectorStatus;
  defaultStoreId?: string | null;
  settings?: Record<string, unknown>;
  credentialId?: string | null;
  /** Allows a change of portal that deletes the identity mappings. */
  confirmRebind?: boolean;
  updatedById: string | null;
}

/** `bad_credential`: unknown, of another organization, or not of the CRM. */
export type ConnectorRefusal =
  | { ok: false; reason: 'not_found' | 'bad_credential' }
  /** Its status follows from its write cap until that is released. */
  | { ok: false; reason: 'write_cap_release_required' | 'write_cap_resume_in_progress' }
  | { ok: false; reason: 'limit_reached'; usage: number }
  | {
      ok: false;
      reason: 'rebind_confirmation_required';
      oldPortalId: string | null;
      newPortalId: string | null;
      /** null: they could not be counted. */
      mappings: number | null;
    };

/** Why the status of a connector may not be changed, by the state of its write cap; null: it may. */
export function statusRefusal(cap: WriteCapState | null): 'write_cap_release_required' | 'write_cap_resume_in_progress' | null {
  if (cap === 'tripped') return 'write_cap_release_required';
  return cap === 'releasing' || cap === 'settling' ? 'write_cap_resume_in_progress' : null;
}

/** Thrown by a change of portal whose mappings could not be deleted: nothing has changed. */
export class PurgeFailed extends Error {
  override name = 'PurgeFailed';
}

export interface UpdatedConnector {
  ok: true;
  connector: ConnectorRow;
  /** The ordering in its settings so far. */
  orderingBefore: Ordering;
}

/** The width of a connector, and its last raise (ADR 0134). */
export interface ConnectorWidth {
  width: number;
  /** The width before the last raise; the same when it was never raised. */
  before: number;
  /** From when on events are placed by `width`; null: it was never raised. */
  from: Date | null;
}

/** `narrower`: a width is only raised. `pending`: the last raise has not begun yet. The connector has the given width. */
export type WidthRefusal =
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'narrower' | 'pending'; width: ConnectorWidth };

export interface ConnectorStore {
  /** @throws KeyLimitReached when it should get a first key and keys are not allowed; nothing is created */
  create(connector: NewConnector): Promise<{ ok: true; connector: ConnectorRow; apiKey: ApiKeyRow | null } | ConnectorRefusal>;
  list(organizationId: string, page: PageRequest): Promise<Page<ConnectorRow>>;
  get(organizationId: string, id: string): Promise<ConnectorRow | null>;
  update(organizationId: string, id: string, patch: ConnectorPatch): Promise<UpdatedConnector | ConnectorRefusal>;
  /**
   * Raises the width of a connector of any organization; the same width again changes nothing.
   * @param leadMs how far ahead its beginning is, by the store's clock
   */
  raiseWidth(id: string, width: number, leadMs: number): Promise<{ ok: true; width: ConnectorWidth } | WidthRefusal>;
  /** False when there is no such connector. Its history stays. */
  delete(organizationId: string, id: string): Promise<boolean>;
  createKey(connectorId: string, key: NewApiKey): Promise<ApiKeyRow | null>;
  keys(connectorId: string, page: PageRequest): Promise<Page<ApiKeyRow>>;
  revokeKey(connectorId: string, keyId: string): Promise<boolean>;
  /** From `tripped` to `releasing`: the events that wait run from now on. */
  releaseWriteCap(
    organizationId: string, id: string,
  ): Promise<{ ok: true; connector: ConnectorRow } | { ok: false; reason: 'not_found' | 'write_cap_not_tripped' }>;
  /**
   * Notes when keys were last used, by their hashes; unknown ones are ignored and no time goes back. It is no change of a
   * connector and is not published.
   */
  noteKeyUse(uses: readonly { hash: string; at: Date }[]): Promise<void>;
}
