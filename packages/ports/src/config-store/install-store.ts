import type { ConnectorRefusal, ConnectorRow } from './connector-store';
import type { CredentialAnswer, CredentialRow, NewCredential } from './credential-store';

/** An app was installed in a portal, from the CRM's marketplace: what the CRM gave waits for an organization that takes it. */
export interface NewInstall {
  /** Chosen by the caller, because the encrypted tokens are bound to it. */
  id: string;
  tokenHash: string;
  /** The CRM's tokens, encrypted. */
  sealed: string;
  portalId: string;
  scopes: string[];
  /** When the access token expires; null: never. */
  tokenExpiresAt: Date | null;
  ttlMs: number;
}

export type InstallRow = Omit<NewInstall, 'tokenHash' | 'ttlMs'>;

export type InstallRefusal = { ok: false; reason: 'install_not_found' | 'install_consumed' | 'install_expired' };

export interface Attachment {
  tokenHash: string;
  credential: NewCredential;
  /** A connector that acts on the portal from then on. */
  connector: { id: string; confirmRebind: boolean; updatedById: string } | null;
}

/** Installs that wait. */
export interface InstallStore {
  add(install: NewInstall): Promise<void>;
  find(tokenHash: string): Promise<{ ok: true; install: InstallRow } | InstallRefusal>;
  /**
   * Makes the credential of an install and binds the connector, all or nothing; a refusal leaves the install as it was. Of two
   * at the same moment one wins. The install's tokens are erased.
   */
  attach(attachment: Attachment): Promise<
    | { ok: true; credential: CredentialRow; connector: ConnectorRow | null }
    | { ok: false; of: 'install'; refusal: InstallRefusal }
    | { ok: false; of: 'credential'; refusal: Extract<CredentialAnswer, { ok: false }> }
    | { ok: false; of: 'connector'; refusal: ConnectorRefusal }
  >;
  /** Deletes installs that expired before `before`. */
  sweep(before: Date): Promise<void>;
}
