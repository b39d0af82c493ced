import { apiError } from '@sluice/service-kit';
import type { Principal } from './principal';

/** Throws 403 `email_not_verified` for a person whose address nobody has verified. Keys are made by people who have. */
export function assertVerified({ publicUrl }: { publicUrl(): string }, principal: Principal): void {
  if (principal.kind === 'key' || principal.account.verified) return;
  throw apiError('email_not_verified', { resend_url: `${publicUrl()}/api/auth/resend-verification` });
}
