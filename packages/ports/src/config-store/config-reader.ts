import type { ConnectorChange, ConnectorKey, FlowIndexEntry, IngressProfile, Source } from '@sluice/contracts';
import type { SourceState } from '.';
import type { SourceCredential } from '../sources/source-credential';

/** A CRM credential as the writer uses it. The token is a secret. */
export interface CrmCredentialAccess {
  credentialId: string;
  portalId: string;
  accessToken: string;
  /** Milliseconds since the epoch; null: does not expire. */
  expiresAt: number | null;
}

/** Another caller has been refreshing the token for longer than this one waits. Nothing was changed. */
export class CredentialRefreshBusy extends Error {
  override name = 'CredentialRefreshBusy';
}

/** What of a published version says where events come from. */
export interface VersionSources {
  sources: Source[];
  /** null: the version has no legacy-compatible ingress. */
  ingressProfile: IngressProfile | null;
}

/**
 * What ingest-api and flow-runner read of the configuration: single rows by id, when the compacted topic has not
 * told them yet or a body is needed. Nothing of it is secret. Throws `StoreUnavailable` when the database cannot be asked.
 */
export interface ConnectorReader {
  /** Newest committed state of a connector, as the topic would carry it. */
  connector(connectorId: string): Promise<ConnectorChange | null>;
  /** The revision of that state, which costs far less to read. null: there is no such connector. */
  revision(connectorId: string): Promise<number | null>;
  /**
   * The connector a usable key belongs to, by SHA-256 hex of the key, and the key itself: a connector may have more keys than
   * its change carries. The key was usable at the revision of the change.
   */
  connectorByKeyHash(hash: string): Promise<{ change: ConnectorChange; key: ConnectorKey } | null>;
  /** What ingestion needs of the flows of a published version. */
  flowIndex(connectorId: string, version: number): Promise<FlowIndexEntry[] | null>;
  /** Config of a published version, with what the names of its plugins mean now. */
  versionConfig(connectorId: string, version: number): Promise<unknown | null>;
  /** The sources of a published version, without the rest of its config. null: there is no such version. */
  versionSources(connectorId: string, version: number): Promise<VersionSources | null>;
  /**
   * The states of the sources of the active version: which of them are switched off, and the secrets of webhooks, encrypted. A
   * change of one raises the connector's revision.
   */
  sourceStates(connectorId: string): Promise<SourceState[]>;
}

/** The configuration with the credentials of the CRM and of sources, for whoever has the keys that open them. */
export interface ConfigReader extends ConnectorReader {
  crmAccess(credentialId: string): Promise<CrmCredentialAccess | null>;
  /** The credential that sources of the organization name so; null: there is none. */
  sourceCredential(organizationId: string, name: string): Promise<SourceCredential | null>;
  /**
   * Refreshes the token once for all callers: locks the row, reads it again, and calls `refresh` only when the stored token is
   * still `staleToken`. A new refresh token is stored before anyone uses the new access token.
   * null: the credential has no refresh token or the CRM refused it. A refused one sets the connectors that act by it to `error`.
   * @throws CredentialRefreshBusy
   */
  refreshCrmAccess(
    credentialId: string,
    staleToken: string,
    refresh: (refreshToken: string) => Promise<{ accessToken: string; refreshToken: string; expiresInS: number } | null>,
  ): Promise<CrmCredentialAccess | null>;
}

/** Encrypts secrets at rest with key ids (SLUICE_ENCRYPTION_KEYS). Implementation: service-kit. */
export interface Keyring {
  /** @param context bound into the ciphertext (for example `credential:<id>`): it opens nowhere else */
  encrypt(plaintext: string, context: string): string;
  /** Throws when no known key opens it. */
  decrypt(sealed: string, context: string): string;
}
