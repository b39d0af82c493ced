import type { AccountStore } from './account-store';
import type { AuditStore } from './audit-store';
import type { ConnectorStore } from './connector-store';
import type { CredentialStore } from './credential-store';
import type { DraftStore } from './draft-store';
import type { OrganizationStore } from './organization-store';
import type { MailStore, OutboxStore } from './outbox-store';

/**
 * What config-api keeps: accounts, connectors, credentials, drafts, versions and the outbox. Hashes are SHA-256 hex of
 * a secret; `sealed` is what the keyring encrypted. Any method may throw `StoreUnavailable`. Every change of a
 * connector, its keys, its active version or its organization raises the connector's revision under its row lock and
 * puts the whole ConnectorChange into the outbox in the same transaction (DESIGN 2.10).
 * Whatever changes something inside an audit scope is written to the audit log in the same transaction (see `inAuditScope`).
 * Ids that are not UUIDs are simply unknown.
 */
export interface ConfigStore {
  accounts: AccountStore;
  organizations: OrganizationStore;
  connectors: ConnectorStore;
  credentials: CredentialStore;
  drafts: DraftStore;
  mails: MailStore;
  outbox: OutboxStore;
  audit: AuditStore;
}
