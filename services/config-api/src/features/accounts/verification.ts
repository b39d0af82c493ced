import type { NewMailToken } from '@sluice/ports';
import type { WithPublicUrl } from '../../http/with-public-url';
import { mailLink } from '../../mails/mail-link';
import { newToken } from '../../mails/mail-token';
import type { AccountDeps } from './deps';

/**
 * A token that verifies an address, with its mail; null when the address, or the network that asks, has caused enough of them.
 * @param address of the caller
 */
export async function verificationFor(
  deps: WithPublicUrl & Pick<AccountDeps, 'mailBudget' | 'mailer' | 'times'>,
  email: string,
  address: string,
): Promise<NewMailToken | null> {
  const kind = 'verify_email';
  if (!(await deps.mailBudget.allows({ kind, to: email, address }))) return null;
  const { token, hash } = newToken(kind);
  const { tokenTtlMs: ttlMs } = deps.times;
  return { tokenHash: hash, ttlMs, mail: deps.mailer.write(kind, email, { url: mailLink(deps, 'verify-email', token) }, ttlMs) };
}
