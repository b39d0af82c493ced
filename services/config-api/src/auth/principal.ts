import type { OrganizationRow, Role } from '@sluice/ports';

/** The caller of the config plane. */
export type Principal =
  | { kind: 'user'; userId: string; email: string; role: Role; organization: OrganizationRow }
  | { kind: 'key'; keyId: string; label: string; organization: OrganizationRow };

/** The caller with the operator token. */
export const operatorPrincipal = { kind: 'operator' } as const;

/** Whether a request was authenticated as the operator's. */
export const isOperator = (principal: unknown): boolean => principal === operatorPrincipal;

/** The id recorded as the author of a change. */
export const actorOf = (principal: Principal): string => (principal.kind === 'user' ? principal.userId : principal.keyId);

/** The calling user, null for a key. */
export const userOf = (principal: Principal): string | null => (principal.kind === 'user' ? principal.userId : null);

/** Who calls, for the request's log line. */
export const principalFields = (principal: Principal) => ({
  organization_id: principal.organization.id,
  principal: `${principal.kind === 'user' ? 'user' : 'org_key'}:${actorOf(principal)}`,
});
