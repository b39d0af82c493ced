import type { Page, PageRequest } from './page';

export interface CredentialRow {
  id: string;
  name: string;
  credentialType: string;
  /** Only of CRM credentials. */
  portalId: string | null;
  scopes: string[];
  /** Hosts that it may be sent to, as `coversHost` reads them; null: any. */
  allowedHosts: string[] | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The encrypted part of a credential. */
export interface CredentialSecret {
  sealed: string;
  portalId?: string | null;
  scopes?: string[];
  tokenExpiresAt?: Date | null;
}

export interface NewCredential extends CredentialSecret {
  /** Chosen by the caller, because the encrypted data is bound to it. */
  id: string;
  organizationId: string;
  name: string;
  credentialType: string;
  createdById: string | null;
  /** Default: any host. */
  allowedHosts?: string[] | null;
  /** Portals the plan allows; null: unlimited. A portal that is already connected does not count again. */
  portalsLimit: number | null;
}

export type NamedCredential = Pick<CredentialRow, 'name' | 'credentialType' | 'allowedHosts'>;

export type CredentialAnswer =
  | { ok: true; credential: CredentialRow }
  | { ok: false; reason: 'not_found' | 'name_taken' | 'portal_changed' }
  | { ok: false; reason: 'limit_reached'; usage: number };

export interface CredentialStore {
  create(credential: NewCredential): Promise<CredentialAnswer>;
  list(organizationId: string, page: PageRequest): Promise<Page<CredentialRow>>;
  get(organizationId: string, id: string): Promise<CredentialRow | null>;
  /** Connector-side credentials, for the checks of a publish. */
  names(organizationId: string): Promise<NamedCredential[]>;
  /**
   * Replaces the data; a CRM token of another portal is refused (`portal_changed`), because connectors are bound to the old one.
   */
  rotate(
    organizationId: string,
    id: string,
    secret: CredentialSecret & { name?: string; allowedHosts?: string[] | null; updatedById: string | null },
  ): Promise<CredentialAnswer>;
  /** Connectors that used it are unbound. */
  delete(organizationId: string, id: string): Promise<boolean>;
}
