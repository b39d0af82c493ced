import { type ForeignIdentity, type ForeignSignIn, inAuditScope, noteAudit, type UserRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import { normalizedEmail, trialKeys } from '../accounts/trial-keys';
import type { OidcDeps } from './deps';

const longestName = 128;

/**
 * The account of somebody who was signed in elsewhere, made when there is none.
 * @throws HttpError 403 `email_not_verified` when there is none and the issuer does not vouch for an address
 */
export async function foreignAccount(
  { store, times }: Pick<OidcDeps, 'store' | 'times'>,
  identity: ForeignIdentity,
  { ip, requestId }: { ip: string; requestId: string },
): Promise<UserRow> {
  const signIn = signInOf(identity, times.trialLengthMs);
  noteAudit({ label: signIn.verifiedEmail ?? undefined });
  // A new account is an entry of its own, beside that of the sign-in.
  const created = () => ({
    organizationId: null, actor: { type: 'user' as const, id: null, label: null }, action: 'account.create',
    target: { type: 'organization', id: null }, ip, requestId,
  });
  const resolved = await inAuditScope(created, () => store.identities.resolve(signIn));
  if (!resolved.ok) throw apiError('email_not_verified');
  const { user } = resolved;
  noteAudit({ organizationIds: user.organizationIds, userId: user.id, label: user.email });
  return user;
}

function signInOf({ issuer, subject, email, emailVerified, name }: ForeignIdentity, trialMs: number): ForeignSignIn {
  const verifiedEmail = email !== null && emailVerified ? normalizedEmail(email) : null;
  const shown = name?.trim().slice(0, longestName) || null;
  return {
    issuer, subject, verifiedEmail, name: shown, organizationName: shown ?? verifiedEmail?.slice(0, longestName) ?? subject,
    trialKeys: trialKeys(verifiedEmail ?? ''), trialMs,
  };
}
