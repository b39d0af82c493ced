import type { OrganizationState, Tier } from '@sluice/contracts';
import type { OrganizationRow, TrialKeys } from './account-store';
import type { Page, PageRequest } from './page';

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
  /** Usable keys that the owner of the key may have; one more throws `KeyLimitReached`. Default: no limit. */
  keysLimit?: number | null;
}

/** The owner of a key already has as many usable keys as it may. Nothing was changed. */
export class KeyLimitReached extends Error {
  override name = 'KeyLimitReached';
  constructor(readonly usage: number) {
    super(`there are ${usage} usable keys`);
  }
}

export interface OrganizationPatch {
  name?: string;
  tier?: Tier;
  state?: OrganizationState;
  /** Milliseconds until a state `closing` ends as `closed`. */
  recoveryMs?: number;
  limits?: Record<string, number | null>;
  perRecordOrdering?: boolean;
  writeCapReview?: boolean;
  publishReview?: boolean;
  assistantOff?: boolean;
}

/** How much of its plan an organization uses. Seats: members and open invitations. */
export interface OrganizationUsage {
  connectors: number;
  eventSources: number;
  seats: number;
  portals: number;
}

export interface OrganizationStore {
  get(id: string): Promise<OrganizationRow | null>;
  /**
   * An organization of an account that is signed in. It is on the trial when the account owns no other and the trial is left (see
   * `TrialKeys`), else on `free`.
   */
  add(organization: { name: string; ownerId: string; trialKeys: TrialKeys; trialMs: number }): Promise<OrganizationRow>;
  /** Reaches every connector of the organization. */
  update(id: string, patch: OrganizationPatch): Promise<OrganizationRow | null>;
  /** Begins the recovery period. */
  close(id: string, recoveryMs: number): Promise<{ ok: true; organization: OrganizationRow } | { ok: false; reason: 'closing' }>;
  /** Ends the recovery period: the organization is active again. `over`: the period has passed. */
  reopen(id: string): Promise<{ ok: true; organization: OrganizationRow } | { ok: false; reason: 'not_closing' | 'over' }>;
  /** Closes organizations whose recovery period is over, with their invitations; answers how many. */
  endRecoveries(now: Date): Promise<number>;
  usage(id: string): Promise<OrganizationUsage>;
  /** Object types that drafts and active versions of its connectors name, each once, in no order. */
  objectTypes(id: string): Promise<string[]>;
  /** Moves organizations whose trial ended to `free`; answers how many. */
  endTrials(now: Date): Promise<number>;
  createKey(organizationId: string, key: NewApiKey): Promise<ApiKeyRow>;
  keys(organizationId: string, page: PageRequest): Promise<Page<ApiKeyRow>>;
  /** False when there is no such key. */
  revokeKey(organizationId: string, keyId: string): Promise<boolean>;
  /** The organization a usable (not revoked, not expired) key speaks for; notes its use. */
  byKeyHash(
    hash: string,
  ): Promise<{ keyId: string; label: string; createdById: string | null; organization: OrganizationRow } | null>;
}
