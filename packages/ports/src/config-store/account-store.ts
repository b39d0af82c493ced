import type { OrganizationState, Tier } from '@sluice/contracts';
import type { NewMailToken } from './new-mail-token';
import type { Page, PageRequest } from './page';

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
  /** Nothing goes to the model of the assistant. */
  assistantOff: boolean;
  trialEndsAt: Date | null;
  trialBlocked: string | null;
  createdAt: Date;
  /** While it is closing: the end of the recovery period. */
  closesAt: Date | null;
}

export type Role = 'owner' | 'member';

/** An account without its secrets. */
export interface AccountRow {
  id: string;
  email: string;
  name: string | null;
  /** Whether somebody made sure that the address is its owner's. */
  verified: boolean;
  mfaEnabled: boolean;
  /** An operator has closed the account: nobody signs in to it. */
  deactivated: boolean;
  createdAt: Date;
}

/** An account that somebody wants to sign in to. */
export interface UserRow extends AccountRow {
  passwordHash: string;
  /** Its organizations, oldest membership first, closed ones last. A sign-in starts in the first. */
  organizationIds: string[];
}

export interface SessionActor {
  account: AccountRow;
  /** The session's active organization; null: the account had none. */
  organization: OrganizationRow | null;
  /** The account's role there; null: it is not, or no longer, a member. */
  role: Role | null;
  /** Whether the account is a member of any organization. */
  hasOrganization: boolean;
}

export interface NewSession {
  /** Of its first refresh token. */
  tokenHash: string;
  expiresAt: Date;
  /** Milliseconds after which it ends, however often it was refreshed. */
  lifetimeMs: number;
  /** From where, and with what, it was opened. */
  ip: string | null;
  userAgent: string | null;
}

/** A session that has not ended. */
export interface SessionRow {
  id: string;
  createdAt: Date;
  /** To about a minute. */
  lastUsedAt: Date;
  ip: string | null;
  userAgent: string | null;
}

/**
 * What may have one trial. An account that an operator creates uses up both, and is given what it asks for. One that signs up
 * itself is refused where either was used up before; it uses up its address at once, and its mail domain when the address is
 * verified.
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
  /** An operator creates it, who made sure that the address is its owner's. Default: false. */
  verified?: boolean;
  /** Only read for tier `trial`. */
  trialKeys?: TrialKeys;
  trialMs?: number;
  /** Signs the account in. */
  session?: NewSession;
  /** The token that verifies the address, with its mail. */
  verification?: NewMailToken;
}

export interface AccountStore {
  /**
   * Creates user, organization and ownership together. A verified account takes its address from an unverified one, which is
   * signed out everywhere and can no longer sign in; its organization stays as it is.
   */
  create(account: NewAccount): Promise<
    | { ok: true; userId: string; organizationId: string; sessionId: string | null }
    | { ok: false; reason: 'email_already_registered' }
  >;
  userByEmail(email: string): Promise<UserRow | null>;
  /** null: there is none, any more. */
  userById(id: string): Promise<UserRow | null>;
  /** null: there is no such account. */
  rename(userId: string, name: string): Promise<AccountRow | null>;
  /** The other sessions of the account end, and links that reset its password are worth nothing. False: no such account. */
  changePassword(change: { userId: string; passwordHash: string; sessionId: string }): Promise<boolean>;
  /** An operator closes an account, or opens it again. null: there is none. */
  setDeactivated(userId: string, deactivated: boolean): Promise<AccountRow | null>;
  /**
   * Deletes an account with its memberships and sessions. Not while an organization that is neither closing nor closed would be
   * left without an owner. What it made stays, and the trials that it used stay used.
   */
  delete(userId: string): Promise<{ ok: true } | {
    ok: false; reason: 'last_owner'; organizations: { id: string; name: string }[],
  }>;
  openSession(session: NewSession & { userId: string; organizationId: string | null }): Promise<string>;
  /**
   * Exchanges a refresh token for its successor. Two exchanges that are under way at the same moment name the same successor and
   * both get it; one that begins after the other was committed is `reused`: every session of the user is ended by this call.
   * `invalid`: unknown, expired, or its session ended. No token lives longer than its session.
   * @param isProven whether the caller has proved that the request is its own, for the session of the token. `unproven`: it has
   * not, and nothing happened.
   */
  rotate(exchange: {
    tokenHash: string;
    nextHash: string;
    nextExpiresAt: Date;
    isProven(sessionId: string): boolean;
  }): Promise<
    | { outcome: 'rotated'; sessionId: string; userId: string; organizationId: string | null }
    | { outcome: 'reused'; userId: string; organizationId: string | null }
    | { outcome: 'invalid' }
    | { outcome: 'deactivated' }
    | { outcome: 'unproven' }
  >;
  /** The session of a refresh token, used or not; null: unknown. */
  sessionOfToken(tokenHash: string): Promise<string | null>;
  /** Newest first. */
  sessions(userId: string, page: PageRequest): Promise<Page<SessionRow>>;
  /** Ends a session of an account; false: it has no such session. */
  endSessionOf(userId: string, sessionId: string): Promise<boolean>;
  /** Ends the session a refresh token belongs to; false when it is unknown or has ended. */
  endSession(tokenHash: string): Promise<boolean>;
  /** Ends a session by its id; false when it is unknown or has ended. */
  endSessionById(sessionId: string): Promise<boolean>;
  /** Who a session token speaks for. null: no such session, or it ended. */
  sessionActor(sessionId: string): Promise<SessionActor | null>;
  /** Makes an organization of its user the active one of a session. False: the user is no member of it. */
  activate(sessionId: string, organizationId: string): Promise<boolean>;
  /** Removes refresh tokens that expired before `before`, and sessions left without any. */
  sweepSessions(before: Date): Promise<void>;
}
