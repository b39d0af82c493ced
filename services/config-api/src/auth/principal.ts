import type { AccountRow, OrganizationRow, Role } from '@sluice/ports';

/** A person who is signed in. */
interface SignedIn {
  userId: string;
  email: string;
  account: AccountRow;
  sessionId: string;
}

interface Key {
  kind: 'key';
  keyId: string;
  label: string;
  /** The user who made it. */
  createdById: string | null;
  organization: OrganizationRow;
}

/** The caller of a route that acts in an organization. */
export type Principal = (SignedIn & { kind: 'user'; role: Role; organization: OrganizationRow }) | Key;

/** The caller of a route of his own account. */
export type AccountPrincipal = SignedIn & {
  kind: 'account';
  /** The active organization of which he is a member; null: none. */
  organization: OrganizationRow | null;
  role: Role | null;
};

/** The caller of a route that takes both. */
export type Caller = AccountPrincipal | Key;

/** The caller with the operator token. */
export const operatorPrincipal = { kind: 'operator' } as const;

/** Whether a request was authenticated as the operator's. */
export const isOperator = (principal: unknown): boolean => principal === operatorPrincipal;

/** The id recorded as the author of a change. */
export const actorOf = (principal: Principal | Caller): string => (principal.kind === 'key' ? principal.keyId : principal.userId);

/** The calling user, null for a key. */
export const userOf = (principal: Principal): string | null => (principal.kind === 'user' ? principal.userId : null);

/** Whose own functions of plugins the caller pushes and invokes: a key those of the user who made it. */
export const developerOf = (principal: Principal): string =>
  principal.kind === 'key' ? (principal.createdById ?? principal.keyId) : principal.userId;

/** Who calls, for the request's log line. */
export const principalFields = (principal: Principal | Caller) => ({
  organization_id: principal.organization?.id ?? null,
  principal: `${principal.kind === 'key' ? 'org_key' : 'user'}:${actorOf(principal)}`,
});
