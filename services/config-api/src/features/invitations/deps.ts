import type { ConfigStore } from '@sluice/ports';
import type { LimitStore } from '@sluice/service-parts';
import type { Authenticators } from '../../auth/create-authenticate';
import type { WithPublicUrl } from '../../http/with-public-url';
import type { Mailer } from '../../mails/create-mailer';
import type { MailBudget } from '../../mails/mail-budget';
import type { SessionDeps } from '../accounts/open-session';
import type { Passwords } from '../accounts/passwords/passwords';

/** What the routes of invitations work with. */
export interface InvitationDeps
  extends WithPublicUrl, SessionDeps,
  Pick<Authenticators, 'authenticate' | 'authenticateCaller'> {
  store: Pick<ConfigStore, 'invitations'>;
  limits: LimitStore;
  mailer: Mailer;
  mailBudget: MailBudget;
  passwords: Passwords;
}
