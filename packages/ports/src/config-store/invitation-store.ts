import type { NewSession, OrganizationRow, Role, TrialKeys } from './account-store';
import type { NewMail } from './mail-store';
import type { Page, PageRequest } from './page';

export interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
  /** null: that account does not exist any more. */
  invitedBy: { id: string; email: string } | null;
}

export interface NewInvitation {
  organizationId: string;
  email: string;
  role: Role;
  invitedById: string;
  tokenHash: string;
  ttlMs: number;
  /** null: the address has got enough mails. An invitation that is open then stays as it is. */
  mail: NewMail | null;
}

/** A seat is used by a member, and by an invitation that is open. */
export interface SeatRefusal {
  ok: false;
  reason: 'seat_limit_reached';
  limit: number;
  usage: number;
  organization: OrganizationRow;
}

export type InvitationRefusal = { ok: false; reason: 'already_member' | 'organization_closing' } | SeatRefusal;

/** What a token leads to. `revoked` too: replaced by a newer one, its organization closed, or its inviter no owner any more. */
export interface FoundInvitation {
  id: string;
  state: 'open' | 'revoked' | 'expired' | 'accepted';
  organizationId: string;
  organizationName: string;
  email: string;
  role: Role;
  /** The account that has the address. */
  userId: string | null;
}

/** Who accepts: the account of the address, or somebody who makes one. */
export type Acceptor =
  | { userId: string; trialKeys: TrialKeys }
  | { name: string; passwordHash: string; session: NewSession };

export type AcceptRefusal =
  | { ok: false; reason: 'not_found' | 'revoked' | 'expired' | 'accepted' | 'organization_closing' | 'other_account' | 'account_exists' }
  | SeatRefusal;

/** Invitations to an organization. The token is known to the invited address alone; its hash is stored. */
export interface InvitationStore {
  /** An invitation of the address that is open is replaced: its token is worth nothing any more, its seat stays the same one. */
  create(invitation: NewInvitation): Promise<{ ok: true; invitation: InvitationRow } | InvitationRefusal>;
  /** Open ones, newest first. */
  list(organizationId: string, page: PageRequest): Promise<Page<InvitationRow>>;
  /** False: no such open invitation. */
  revoke(organizationId: string, id: string): Promise<boolean>;
  /** null: unknown. */
  find(tokenHash: string): Promise<FoundInvitation | null>;
  /**
   * Makes the acceptor a member; of several at the same moment one wins. A new account is verified and signed in. What was
   * checked when it was made is checked again: seat, organization, and that the inviter is an owner.
   */
  accept(
    tokenHash: string,
    acceptor: Acceptor,
  ): Promise<{ ok: true; organizationId: string; userId: string; role: Role; sessionId: string | null } | AcceptRefusal>;
}
