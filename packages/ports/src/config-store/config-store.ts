import type { AccountStore } from './account-store';
import type { AuditStore } from './audit-store';
import type { BillingStore } from './billing-store';
import type { CompatKeyStore } from './compat-key-store';
import type { ConnectorStore } from './connector-store';
import type { CredentialStore } from './credential-store';
import type { DraftStore } from './draft-store';
import type { IdentityStore } from './identity-store';
import type { InstallStore } from './install-store';
import type { InvitationStore } from './invitation-store';
import type { MailStore } from './mail-store';
import type { MailTokenStore } from './mail-token-store';
import type { MappingStore } from './mapping-store';
import type { MemberStore } from './member-store';
import type { OrganizationStore } from './organization-store';
import type { OutboxStore } from './outbox-store';
import type { PluginStore } from './plugin-store';
import type { SecondFactorStore } from './second-factor-store';
import type { SourceStore } from './source-store';

/**
 * The data of config-api: accounts, connectors, credentials, drafts, versions and the outbox. Hashes are SHA-256 hex of a
 * secret; `sealed` values were encrypted by the keyring. Any method may throw `StoreUnavailable`. Every change of a connector,
 * its keys, its active version or its organization raises the connector's revision under its row lock and puts the whole
 * ConnectorChange into the outbox in the same transaction (docs/reference/portals-and-publishing.md, Changes of a connector).
 * A change inside an audit scope is written to the audit log in the same transaction (see `inAuditScope`).
 * An id that is not a UUID is answered as unknown.
 */
export interface ConfigStore {
  accounts: AccountStore;
  organizations: OrganizationStore;
  members: MemberStore;
  invitations: InvitationStore;
  mailTokens: MailTokenStore;
  identities: IdentityStore;
  secondFactors: SecondFactorStore;
  billing: BillingStore;
  connectors: ConnectorStore;
  compatKeys: CompatKeyStore;
  credentials: CredentialStore;
  installs: InstallStore;
  drafts: DraftStore;
  mappings: MappingStore;
  plugins: PluginStore;
  sources: SourceStore;
  mails: MailStore;
  outbox: OutboxStore;
  audit: AuditStore;
  /** What time it is by the store's clock: what is deleted or ended by its age is so by this time, on whatever machine. */
  storeTime(): Promise<Date>;
}
