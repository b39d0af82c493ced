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

/**
 * What may have one trial. A verified account uses up both, and is given what it asks for; an unverified one uses up its address,
 * and is refused where either was used up before.
 */
export interface TrialKeys {
  /** The mail domain; null: a free mail provider's. */
  company: string | null;
  address: string;
}

export interface NewAccount {
  email: string;
  passwordHash: string;
  organizationName: string;
  /** What it starts with. `trial` becomes `free` for an unverified account whose trial was used before. */
  tier: Tier;
  /** Whether somebody made sure that the address is its owner's. Default: false. */
  verified?: boolean;
  /** Only read for tier `trial`. */
  trialKeys?: TrialKeys;
  trialEndsAt?: Date;
}

export interface AccountStore {
  /**
   * Creates user, organization and ownership together. A verified account takes its address from an unverified one, which is
   * signed out everywhere and can no longer sign in; its organization stays as it is.
   */
  create(
    account: NewAccount,
  ): Promise<{ ok: true; userId: string; organizationId: string } | { ok: false; reason: 'email_already_registered' }>;
  userByEmail(email: string): Promise<(UserRow & { organizationId: string | null }) | null>;
  openSession(session: { userId: string; organizationId: string; tokenHash: string; expiresAt: Date }): Promise<string>;
  /**
   * Exchanges a refresh token for its successor. Two exchanges that are under way at the same moment name the same successor and
   * both get it; one that begins after the other was committed is `reused`: every session of the user is ended by this call.
   * `invalid`: unknown, expired, or its session ended.
   */
  rotate(exchange: {
    tokenHash: string;
    nextHash: string;
    nextExpiresAt: Date;
  }): Promise<
    | { outcome: 'rotated'; sessionId: string; userId: string; organizationId: string }
    | { outcome: 'reused'; userId: string; organizationId: string }
    | { outcome: 'invalid' }
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
