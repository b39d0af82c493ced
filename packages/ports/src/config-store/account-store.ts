import type { OrganizationState, Tier } from '@sluice/contracts';

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
  /** Ends a session by its id; an unknown or ended one is ignored. */
  endSessionById(sessionId: string): Promise<void>;
  /** Who a session token speaks for. null: no such session, or it ended. */
  sessionActor(sessionId: string): Promise<SessionActor | null>;
  /** Removes refresh tokens that expired before `before`, and sessions left without any. */
  sweepSessions(before: Date): Promise<void>;
}
