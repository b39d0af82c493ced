import { randomUUID } from 'node:crypto';
import { connectorChanges, type ConnectorChange, maxKeysInChange, orderingOf, type WriteCapState } from '@sluice/contracts';
import { noteAudit } from '../../config-store/audit-scope';
import { KeyLimitReached } from '../../config-store';
import { copy } from '../shared/memory-copy';
import { MemoryReadings, type MemorySources } from '../shared/memory-readings';
import { emptyPluginState, type MemoryPluginState } from '../shared/memory-plugin-state';
import { createMemoryWriteCaps, type MemoryWriteCaps } from './memory-write-caps';
import type {
  ApiKeyRow, AuditRow, ConnectorRow, DraftRow, NewApiKey, OrganizationRow, OutboxMessage, Page, PageRequest, VersionRow,
} from '../../config-store';
import type {
  Key, Session, Membership, MemoryInvitation, MemoryMailToken, MemoryUser, MemorySecondFactor, MemoryChallenge, MemoryInstall,
  MemoryBilling, Token, MemoryConnector, MemoryCredentialRow, MemoryMail,
} from './memory-config-rows';

export { copy };

/** Everything the twin holds. Rows handed out are copies: nobody changes what is kept. */
export interface MemoryConfigState {
  users: Map<string, MemoryUser>;
  /** Oldest first. */
  memberships: Membership[];
  organizations: Map<string, OrganizationRow>;
  /** Closing organizations that are suspended again when they are reopened. */
  reopensSuspended: Set<string>;
  /** The organization that used a key up. */
  trialKeys: Map<string, string>;
  invitations: MemoryInvitation[];
  /** By hash. */
  mailTokens: Map<string, MemoryMailToken>;
  /** By user. */
  secondFactors: Map<string, MemorySecondFactor>;
  /** Users by issuer and subject. */
  identities: Map<string, string>;
  /** By hash; gone when used. */
  challenges: Map<string, MemoryChallenge>;
  billing: MemoryBilling;
  /** By hash of the token. */
  installs: Map<string, MemoryInstall>;
  sessions: Map<string, Session>;
  tokens: Map<string, Token>;
  organizationKeys: Map<string, Key>;
  connectorKeys: Map<string, Key>;
  compatKeys: Map<string, Key>;
  connectors: Map<string, MemoryConnector>;
  credentials: Map<string, MemoryCredentialRow>;
  drafts: Map<string, DraftRow>;
  versions: Map<string, (VersionRow & { config: unknown })[]>;
  /** Newest first. */
  mails: MemoryMail[];
  outbox: { message: OutboxMessage; at: number; setAside?: { reason: string; at: Date } }[];
  lastMessageId: bigint;
  /** Newest first. */
  audit: AuditRow[];
  plugins: MemoryPluginState;
  writeCaps: MemoryWriteCaps;
  /** Of sources, by their state. */
  readings: MemoryReadings;
  /** Connectors of which events wait because of their cap. */
  waiting: Set<string>;
}

export function emptyConfigState(wake?: MemoryPluginState['wake']): MemoryConfigState {
  const state: Omit<MemoryConfigState, 'writeCaps'> = {
    users: new Map(),
    memberships: [],
    organizations: new Map(),
    reopensSuspended: new Set(),
    trialKeys: new Map(),
    invitations: [],
    mailTokens: new Map(),
    secondFactors: new Map(),
    identities: new Map(),
    challenges: new Map(),
    installs: new Map(),
    billing: { subscriptions: new Map(), orders: [], details: new Map(), acceptances: [], takenEvents: new Set() },
    sessions: new Map(),
    tokens: new Map(),
    organizationKeys: new Map(),
    connectorKeys: new Map(),
    compatKeys: new Map(),
    connectors: new Map(),
    credentials: new Map(),
    drafts: new Map(),
    versions: new Map(),
    mails: [],
    outbox: [],
    lastMessageId: 0n,
    audit: [],
    waiting: new Set(),
    readings: new MemoryReadings(),
    plugins: emptyPluginState(wake),
  };
  const writeCaps = createMemoryWriteCaps({
    now: Date.now,
    waits: (connectorId) => state.waiting.has(connectorId),
    changed: (connectorId, to) => followCap(whole, connectorId, to),
  });
  const whole: MemoryConfigState = Object.assign(state, { writeCaps });
  return whole;
}

/** A cap that trips pauses its connector, and opens it again in the end; an error stays. */
function followCap(state: MemoryConfigState, connectorId: string, to: WriteCapState): void {
  const connector = state.connectors.get(connectorId)!;
  if (to === 'tripped' && connector.row.status === 'active') connector.row.status = 'paused';
  if (to === 'released' && connector.row.status === 'paused') connector.row.status = 'active';
  announce(state, [connector]);
}

/** A connector as the store gives it. */
export const connectorRowOf = (state: MemoryConfigState, { row }: MemoryConnector): ConnectorRow =>
  copy({ ...row, writeCap: state.writeCaps.of(row.id) });

/** Newest first; what is equally new keeps the order it came in. */
export function pageOf<T extends { createdAt: Date }>(rows: readonly T[], { limit, offset }: PageRequest): Page<T> {
  const sorted = [...rows].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return { items: copy(sorted.slice(offset, offset + limit)), total: rows.length };
}

/**
 * Adds a key, unless its owner has as many as it may. Throws when its hash is known already, before anything has changed: a hash
 * is of random bytes, so that is a bug.
 */
export function addKey(keys: Map<string, Key>, ownerId: string, key: NewApiKey): ApiKeyRow {
  const usage = keysOf(keys, ownerId).filter(isUsable).length;
  if (typeof key.keysLimit === 'number' && usage >= key.keysLimit) throw new KeyLimitReached(usage);
  if ([...keys.values()].some(({ hash }) => hash === key.hash)) throw new Error('a key of this hash exists');
  const row: ApiKeyRow = {
    id: randomUUID(),
    label: key.label,
    createdAt: new Date(),
    lastUsedAt: null,
    expiresAt: key.expiresAt ?? null,
    revokedAt: null,
  };
  keys.set(row.id, { row, hash: key.hash, ownerId, createdById: key.createdById });
  noteAudit({ targetId: row.id });
  return copy(row);
}

export const keysOf = (keys: Map<string, Key>, ownerId: string): ApiKeyRow[] =>
  [...keys.values()].filter((key) => key.ownerId === ownerId).map(({ row }) => row);

/** Whether a key opens anything now. */
const isUsable = ({ revokedAt, expiresAt }: ApiKeyRow): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > new Date());

/** A connector that is not deleted. */
export function liveConnector(state: MemoryConfigState, id: string): MemoryConnector | undefined {
  const connector = state.connectors.get(id);
  return connector?.deleted ? undefined : connector;
}

/** The sources of connectors that are not deleted, for those who read them. */
export function memorySourcesOf(state: MemoryConfigState): MemorySources {
  const all = () => [...state.connectors.values()].filter(({ deleted }) => !deleted).flatMap(({ revision, row, sources }) =>
    [...sources.values()].map((source) => ({
      connectorId: row.id, organizationId: row.organizationId, revision, portalId: row.binding?.portalId ?? null, state: source,
      closed: state.organizations.get(row.organizationId)?.state === 'closed', reading: state.readings.of(source),
    })));
  const keyOf = ({ connectorId, state: { name } }: ReturnType<typeof all>[number]): string => `${connectorId}/${name}`;
  return {
    all: () => all().sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
    find: (connectorId, name) => all().find((one) => one.connectorId === connectorId && one.state.name === name),
  };
}

export const connectorsOf = (state: MemoryConfigState, organizationId: string): MemoryConnector[] =>
  [...state.connectors.values()].filter(({ row, deleted }) => !deleted && row.organizationId === organizationId);

/** Oldest membership first, closed organizations last. */
export function organizationIdsOf(state: MemoryConfigState, userId: string): string[] {
  const ids = state.memberships.filter((one) => one.userId === userId).map(({ organizationId }) => organizationId);
  const isClosed = (id: string): boolean => state.organizations.get(id)!.state === 'closed';
  return [...ids.filter((id) => !isClosed(id)), ...ids.filter(isClosed)];
}

/** Raises the revisions and puts the whole state of the connectors into the outbox: the last step of every change. */
export function announce(state: MemoryConfigState, connectors: readonly MemoryConnector[]): void {
  for (const connector of connectors) {
    connector.revision += 1;
    const change = changeOf(state, connector);
    state.lastMessageId += 1n;
    state.outbox.push({
      message: {
        id: state.lastMessageId,
        topic: connectorChanges.name,
        key: connectorChanges.key(change),
        payload: copy(change),
      },
      at: Date.now(),
    });
  }
}

function changeOf(
  state: MemoryConfigState,
  { row, revision, orderingEpoch, mappingsRemoved, pluginsRevision, deleted, width: { before, from, width } }: MemoryConnector,
): ConnectorChange {
  const { tier, state: standing, perRecordOrdering, limits } = state.organizations.get(row.organizationId)!;
  const usable = [...state.connectorKeys.values()]
    .filter((key) => key.ownerId === row.id && isUsable(key.row))
    .reverse()
    .slice(0, maxKeysInChange);
  return {
    v: 1,
    connector_id: row.id,
    organization_id: row.organizationId,
    revision,
    deleted,
    name: row.name,
    status: row.status,
    default_store_id: row.defaultStoreId,
    organization: { tier, state: standing, per_record_ordering: perRecordOrdering, limits },
    ordering: orderingOf(row.settings),
    ordering_epoch: orderingEpoch,
    mappings_removed: mappingsRemoved,
    width,
    ...(from && { width_raise: { before, from: from.toISOString() } }),
    keys: deleted
      ? []
      : usable.map((key) => ({ id: key.row.id, hash: key.hash, expires_at: key.row.expiresAt?.toISOString() ?? null })),
    active_version: row.activeVersion,
    write_cap: state.writeCaps.of(row.id)?.state ?? null,
    plugins_revision: pluginsRevision,
    flows: [],
    binding: row.binding && {
      credential_id: row.binding.credentialId,
      portal_id: row.binding.portalId,
      epoch: row.binding.epoch,
    },
  };
}
