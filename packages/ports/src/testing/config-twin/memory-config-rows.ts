import type { BillingDetails } from '../../billing';
import type {
  AcceptanceRow, ApiKeyRow, ConnectorRow, ConnectorWidth, CredentialRow, IdentityMappingRow, InstallRow, MailRow, SourceState,
  OrderRow, Role, SubscriptionRow, UserRow,
} from '../../config-store';


export interface Key {
  row: ApiKeyRow;
  hash: string;
  createdById: string | null;
  ownerId: string;
}

export interface Session {
  id: string;
  userId: string;
  organizationId: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  endsAt: Date;
  ip: string | null;
  userAgent: string | null;
  ended: boolean;
}

export interface Membership {
  userId: string;
  organizationId: string;
  role: Role;
  joinedAt: Date;
}

export interface MemoryInvitation {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  tokenHash: string;
  invitedById: string;
  createdAt: Date;
  expiresAt: Date;
  accepted: boolean;
  revoked: boolean;
}

export interface MemoryMailToken {
  purpose: string;
  userId: string | null;
  address: string;
  expiresAt: Date;
  consumed: boolean;
  /** Of a change of address. */
  change?: { newAddress: string; codeHash: string; attempts: number };
}

/** A user without what follows from his memberships. */
export type MemoryUser = Omit<UserRow, 'organizationIds'>;

export interface MemorySecondFactor {
  sealed: string;
  enabled: boolean;
  enrolledAt: Date;
  takenSteps: number[];
  wrongCodes: number;
  lockedUntil: Date | null;
  /** Recovery codes that were not used. */
  recoveryHashes: readonly string[];
}

export interface MemoryChallenge {
  userId: string;
  expiresAt: Date;
  elsewhere: boolean;
}

export interface MemoryInstall extends InstallRow {
  expiresAt: Date;
  consumed: boolean;
}

/** What the twin knows of the money of organizations. */
export interface MemoryBilling {
  /** By organization; `occurredAt` is that of the provider's newest word. */
  subscriptions: Map<string, SubscriptionRow & { occurredAt: Date | null }>;
  orders: (OrderRow & { organizationId: string })[];
  details: Map<string, BillingDetails>;
  acceptances: (AcceptanceRow & { organizationId: string })[];
  takenEvents: Set<string>;
}

export interface Token {
  sessionId: string;
  expiresAt: Date;
  used: boolean;
}

export interface MemoryConnector {
  row: ConnectorRow;
  revision: number;
  orderingEpoch: number;
  width: ConnectorWidth;
  epoch: number;
  /** The portal of the current epoch, also while no binding is in force. */
  epochPortalId: string | null;
  deleted: boolean;
  /** By entity and external id. */
  mappings: Map<string, IdentityMappingRow>;
  mappingsRemoved: number;
  pluginsRevision: number;
  sources: Map<string, SourceState>;
}

export interface MemoryCredentialRow {
  row: CredentialRow;
  organizationId: string;
  sealed: string;
}

export interface MemoryMail extends MailRow {
  expiresAt: Date;
  dueAt: Date;
  attempt: number;
  ended: boolean;
}
