import type { WithPublicUrl } from '../http/with-public-url';

/** Pages that links in mails lead to. */
export type MailPage = 'verify-email' | 'invitations' | 'password-reset' | 'confirm-email';

/**
 * A link with a token. It begins with the installation's own address, never with what a request said about it. The token is in
 * the query, which no log line has. Opening the link changes nothing: mail scanners open links too.
 */
export const mailLink = ({ publicUrl }: WithPublicUrl, page: MailPage, token: string): string =>
  `${publicUrl()}/${page}?token=${encodeURIComponent(token)}`;
