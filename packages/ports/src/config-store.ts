import type { ConnectorStatus, FlowIndexEntry, OrganizationState, SourceType, Tier } from '@sluice/contracts';

/**
 * What config-api keeps: accounts, connectors, credentials, drafts, versions and the outbox. Hashes are SHA-256 hex of
 * a secret; `sealed` is what the keyring encrypted. Any method may throw `StoreUnavailable`. Every change of a
 * connector, its keys, its active version or its organization raises the connector's revision under its row lock and
 * puts the whole ConnectorChange into the outbox in the same transaction (DESIGN 2.10).
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
}

/** One page of a list, with how many there are in all. */
export interface Page<T> {
  items: T[];
  total: number;
}

export interface PageRequest {
  limit: number;
  offset: number;
}

export interface OrganizationRow {
  id: string;
  name: string;
  tier: Tier;
  state: OrganizationState;
  /** Agreed limits by the billing view's names; null means unlimited. */
  limits: Record<string, number | null>;
  perRecordOrdering: boolean;
  writeCapReview: boolean;
  publishReview: boolean;
  trialEndsAt: Date | null;
  trialBlocked: string | null;
  createdAt: Date;
}

export type Role = 'owner' | 'member';

export interface UserRow {
  id: string;
  email: string;
  passwordHash: string;
}

export interface SessionActor {
  userId: string;
  email: string;
  /** null: no longer a member of the session's organization. */
  role: Role | null;
  organization: OrganizationRow;
}

export interface NewAccount {
  email: string;
  passwordHash: string;
  organizationName: string;
  /** What it starts with; `trial` becomes `free` when the trial key was used before. */
  tier: Tier;
  /** Mail domain or address that may have one trial; only read for tier `trial`. */
  trialKey?: string;
  trialEndsAt?: Date;
}

export interface AccountStore {
  /** Creates user, organization and ownership together. */
  create(account: NewAccount): Promise<{ ok: true; userId: string; organizationId: string } | { ok: false; reason: 'email_already_registered' }>;
  userByEmail(email: string): Promise<(UserRow & { organizationId: string | null }) | null>;
  openSession(session: { userId: string; organizationId: string; tokenHash: string; expiresAt: Date }): Promise<string>;
  /**
   * Exchanges a refresh token. `reused`: it was exchanged before; every session of the user is ended by this call.
   * `invalid`: unknown, expired, or its session ended.
   */
  rotate(exchange: { tokenHash: string; nextHash: string; nextExpiresAt: Date }): Promise<
    { outcome: 'rotated'; sessionId: string; userId: string; organizationId: string } | { outcome: 'reused' } | { outcome: 'invalid' }
  >;
  /** Ends the session a refresh token belongs to; unknown ones are ignored. */
  endSession(tokenHash: string): Promise<void>;
  /** Who a session token speaks for. null: no such session, or it ended. */
  sessionActor(sessionId: string): Promise<SessionActor | null>;
  /** Removes refresh tokens that expired before `before`, and sessions left without any. */
  sweepSessions(before: Date): Promise<void>;
}

export interface ApiKeyRow {
  id: string;
  label: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export interface NewApiKey {
  label: string;
  hash: string;
  expiresAt?: Date | null;
  createdById: string | null;
}

export interface OrganizationPatch {
  tier?: Tier;
  state?: OrganizationState;
  limits?: Record<string, number | null>;
  perRecordOrdering?: boolean;
  writeCapReview?: boolean;
  publishReview?: boolean;
}

/** What of its plan an organization uses. */
export interface OrganizationUsage {
  connectors: number;
  eventSources: number;
  seats: number;
  portals: number;
}

export interface OrganizationStore {
  get(id: string): Promise<OrganizationRow | null>;
  /** Reaches every connector of the organization. */
  update(id: string, patch: OrganizationPatch): Promise<OrganizationRow | null>;
  usage(id: string): Promise<OrganizationUsage>;
  /** Moves organizations whose trial ended to `free`; answers how many. */
  endTrials(now: Date): Promise<number>;
  createKey(organizationId: string, key: NewApiKey): Promise<ApiKeyRow>;
  keys(organizationId: string, page: PageRequest): Promise<Page<ApiKeyRow>>;
  /** False when there is no such key. */
  revokeKey(organizationId: string, keyId: string): Promise<boolean>;
  /** The organization a usable (not revoked, not expired) key speaks for; notes its use. */
  byKeyHash(hash: string): Promise<{ keyId: string; organization: OrganizationRow } | null>;
}

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
  | { ok: false; reason: 'limit_reached'; usage: number }
  | { ok: false; reason: 'rebind_confirmation_required'; oldPortalId: string | null; newPortalId: string | null; mappings: number | null };

export interface ConnectorStore {
  create(connector: NewConnector): Promise<{ ok: true; connector: ConnectorRow; apiKey: ApiKeyRow | null } | ConnectorRefusal>;
  list(organizationId: string, page: PageRequest): Promise<Page<ConnectorRow>>;
  get(organizationId: string, id: string): Promise<ConnectorRow | null>;
  update(organizationId: string, id: string, patch: ConnectorPatch): Promise<{ ok: true; connector: ConnectorRow } | ConnectorRefusal>;
  /** False when there is no such connector. Its history stays. */
  delete(organizationId: string, id: string): Promise<boolean>;
  createKey(connectorId: string, key: NewApiKey): Promise<ApiKeyRow | null>;
  keys(connectorId: string, page: PageRequest): Promise<Page<ApiKeyRow>>;
  revokeKey(connectorId: string, keyId: string): Promise<boolean>;
}

export interface CredentialRow {
  id: string;
  name: string;
  credentialType: string;
  /** The CRM's only. */
  portalId: string | null;
  scopes: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** What a sealed credential holds beside its row. */
export interface CredentialSecret {
  sealed: string;
  portalId?: string | null;
  scopes?: string[];
  tokenExpiresAt?: Date | null;
}

export interface NewCredential extends CredentialSecret {
  /** Chosen by the caller: the sealed data is bound to it. */
  id: string;
  organizationId: string;
  name: string;
  credentialType: string;
  createdById: string | null;
  /** Portals the plan allows; null: unlimited. A portal connected already never counts. */
  portalsLimit: number | null;
}

export type CredentialAnswer =
  | { ok: true; credential: CredentialRow }
  | { ok: false; reason: 'not_found' | 'name_taken' | 'portal_changed' }
  | { ok: false; reason: 'limit_reached'; usage: number };

export interface CredentialStore {
  create(credential: NewCredential): Promise<CredentialAnswer>;
  list(organizationId: string, page: PageRequest): Promise<Page<CredentialRow>>;
  get(organizationId: string, id: string): Promise<CredentialRow | null>;
  /** Names of connector-side credentials, for the checks of a publish. */
  names(organizationId: string): Promise<{ name: string; credentialType: string }[]>;
  /** Puts new data in place; a CRM token of another portal is refused (`portal_changed`): connectors are bound to the old one. */
  rotate(organizationId: string, id: string, secret: CredentialSecret & { name?: string; updatedById: string | null }): Promise<CredentialAnswer>;
  /** Connectors that used it are unbound. */
  delete(organizationId: string, id: string): Promise<boolean>;
}

export interface DraftRow {
  config: unknown;
  /** 0: never published. */
  baseVersion: number;
  draftVersion: number;
  updatedAt: Date;
  updatedBy: string | null;
}

export interface VersionRow {
  version: number;
  isActive: boolean;
  publishedAt: Date;
  publishedBy: string | null;
  changeSummary: string | null;
}

export interface NewVersion {
  connectorId: string;
  config: unknown;
  flows: FlowIndexEntry[];
  /** Every source of the config; `sealed` is used for those that are new and need a secret. */
  sources: { name: string; type: SourceType; sealed: string | null }[];
  baseVersion: number;
  changeSummary: string | null;
  publishedBy: string | null;
  /** null: unlimited. Only a net growth is refused. */
  eventSourcesLimit: number | null;
}

export type PublishAnswer =
  | { ok: true; version: VersionRow; createdSources: string[] }
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'stale_base_version'; baseVersion: number; activeVersion: number }
  | { ok: false; reason: 'limit_reached'; usage: number };

export interface DraftStore {
  /** The first read creates an empty draft. null: no such connector. */
  get(connectorId: string, empty: unknown): Promise<DraftRow | null>;
  save(
    connectorId: string,
    draft: { config: unknown; expectedVersion?: number; baseVersion?: number; updatedBy: string },
  ): Promise<{ ok: true; draft: DraftRow } | { ok: false; draftVersion: number } | null>;
  /** Compares the base with the active version, stores the version, makes it active and the draft's base. */
  publish(version: NewVersion): Promise<PublishAnswer>;
  versions(connectorId: string, page: PageRequest): Promise<Page<VersionRow>>;
  version(connectorId: string, version: number | 'active'): Promise<(VersionRow & { config: unknown }) | null>;
  /** Names of the sources that exist on the published side. */
  sourceNames(connectorId: string): Promise<string[]>;
}

export interface MailRow {
  to: string;
  subject: string;
  text: string;
  links: string[];
  sentAt: Date;
}

export interface MailStore {
  add(mail: Omit<MailRow, 'sentAt'>): Promise<void>;
  list(to: string | null, limit: number): Promise<MailRow[]>;
}

export interface OutboxMessage {
  id: bigint;
  topic: string;
  key: string;
  payload: unknown;
}

export interface OutboxStore {
  /**
   * Hands the oldest messages to `publish` and removes them once it answers true; only one relay does so at a time.
   * Answers how many were removed; `busy`: another relay is at it.
   */
  drain(limit: number, publish: (messages: OutboxMessage[]) => Promise<boolean>): Promise<number | 'busy'>;
  /** How many wait, and for how many milliseconds the oldest. */
  backlog(): Promise<{ waiting: number; oldestMs: number }>;
}
