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
   * Exchanges a refresh token for its successor. Two exchanges that are under way at the same moment name the same successor and both get
   * it; one that begins after the other was committed is `reused`: every session of the user is ended by this call.
   * `invalid`: unknown, expired, or its session ended.
   */
  rotate(exchange: { tokenHash: string; nextHash: string; nextExpiresAt: Date }): Promise<
    { outcome: 'rotated'; sessionId: string; userId: string; organizationId: string } | { outcome: 'reused'; userId: string; organizationId: string } | { outcome: 'invalid' }
  >;
  /** Ends the session a refresh token belongs to; false when it is unknown or has ended. */
  endSession(tokenHash: string): Promise<boolean>;
  /** Ends a session by its id; false when it is unknown or has ended. */
  endSessionById(sessionId: string): Promise<boolean>;
  /** Who a session token speaks for. null: no such session, or it ended. */
  sessionActor(sessionId: string): Promise<SessionActor | null>;
  /** Removes refresh tokens that expired before `before`, and sessions left without any. */
  sweepSessions(before: Date): Promise<void>;
}
