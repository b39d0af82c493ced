import type { ConnectorStatus, OrganizationState, Tier, WriteCapState } from '@sluice/contracts';
import type { ApiKeyRow, ConnectorRow, CredentialRow, DraftRow, OrganizationRow, VersionRow, WriteCap } from '@sluice/ports';
import type {
  Connector,
  ConnectorApiKey,
  Credential,
  Draft,
  Organization,
  OrganizationApiKey,
  Version,
  WriteCap as WriteCapColumns,
} from '../generated/client';

/** Database rows as the port names them. */
export const organizationRow = (row: Organization): OrganizationRow => ({
  id: row.id,
  name: row.name,
  tier: row.tier as Tier,
  state: row.state as OrganizationState,
  limits: row.limits as Record<string, number | null>,
  perRecordOrdering: row.per_record_ordering,
  writeCapReview: row.write_cap_review,
  publishReview: row.publish_review,
  assistantOff: row.assistant_off,
  trialEndsAt: row.trial_ends_at,
  trialBlocked: row.trial_blocked,
  createdAt: row.created_at,
  closesAt: row.closes_at,
});

export const apiKeyRow = (row: ConnectorApiKey | OrganizationApiKey): ApiKeyRow => ({
  id: row.id,
  label: row.label,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

/** What is read of a connector for its row. */
export const withCap = { write_cap: true } as const;

const writeCapOf = (row: WriteCapColumns | null): WriteCap | null => row && {
  state: row.state as WriteCapState, limit: row.write_limit, writes: row.writes, trippedAt: row.tripped_at,
};

export const connectorRow = (row: Connector & { write_cap: WriteCapColumns | null }): ConnectorRow => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  mode: row.mode as ConnectorRow['mode'],
  status: row.status as ConnectorStatus,
  credentialId: row.credential_id,
  defaultStoreId: row.default_store_id,
  settings: row.settings as Record<string, unknown>,
  createdById: row.created_by_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  activeVersion: row.active_version,
  binding:
    row.binding_credential_id !== null && row.binding_portal_id !== null
      ? { credentialId: row.binding_credential_id, portalId: row.binding_portal_id, epoch: row.binding_epoch }
      : null,
  writeCap: writeCapOf(row.write_cap),
});

/** An empty column stands for any host. */
export const allowedHostsOf = ({ allowed_hosts }: Pick<Credential, 'allowed_hosts'>): string[] | null =>
  allowed_hosts.length === 0 ? null : allowed_hosts;

export const credentialRow = (row: Credential): CredentialRow => ({
  id: row.id,
  name: row.name,
  credentialType: row.credential_type,
  portalId: row.portal_id,
  scopes: row.scopes,
  allowedHosts: allowedHostsOf(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const draftRow = (row: Draft): DraftRow => ({
  config: row.config,
  baseVersion: row.base_version,
  draftVersion: row.draft_version,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
});

export const versionRow = (row: Omit<Version, 'config' | 'flow_index'>, active: number | null): VersionRow => ({
  version: row.version,
  isActive: row.version === active,
  publishedAt: row.published_at,
  publishedBy: row.published_by,
  changeSummary: row.change_summary,
});
