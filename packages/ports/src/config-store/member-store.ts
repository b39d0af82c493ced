import type { OrganizationState, Tier } from '@sluice/contracts';
import type { Role } from './account-store';
import type { Page, PageRequest } from './page';

/** One organization of an account. */
export interface MembershipRow {
  organizationId: string;
  name: string;
  tier: Tier;
  state: OrganizationState;
  role: Role;
}

/** One account of an organization. */
export interface MemberRow {
  userId: string;
  name: string | null;
  email: string;
  role: Role;
  mfaEnabled: boolean;
  joinedAt: Date;
}

export type MemberRefusal = { ok: false; reason: 'not_found' | 'last_owner' };

/** Who belongs to which organization. An organization always has an owner. */
export interface MemberStore {
  /** The organizations of an account, oldest membership first. */
  organizationsOf(userId: string, page: PageRequest): Promise<Page<MembershipRow>>;
  /** null: no member. */
  roleIn(organizationId: string, userId: string): Promise<Role | null>;
  /** Oldest membership first. */
  list(organizationId: string, page: PageRequest): Promise<Page<MemberRow>>;
  setRole(organizationId: string, userId: string, role: Role): Promise<{ ok: true; member: MemberRow } | MemberRefusal>;
  /** His sessions in the organization reach nothing of it any more. Keys that he made stay. */
  remove(organizationId: string, userId: string): Promise<{ ok: true } | MemberRefusal>;
}
