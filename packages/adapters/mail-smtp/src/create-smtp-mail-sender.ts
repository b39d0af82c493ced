import type { ConnectionOptions } from 'node:tls';
import type { MailSender, SendOutcome } from '@sluice/ports';
import { createTransport, type NodemailerError } from 'nodemailer';
import { smtpTarget } from './smtp-target';

export interface SmtpMailSenderOptions {
  /** `smtp://user:password@host:port` or `smtps://`. */
  url: string;
  /** The sender: an address, or `Name <address>`. */
  from: string;
  /** Connections at most; a mail that comes meanwhile waits. Default 5. */
  connections?: number;
  /** Milliseconds for which the server may say nothing. Default 20 s. */
  silenceMs?: number;
  /** Beside what the URL says, for a server whose certificate is of one's own authority. */
  tls?: Pick<ConnectionOptions, 'ca' | 'servername'>;
}

/** Mails over one connection, so that a server that counts them does not mind. */
const mailsPerConnection = 100;

/**
 * What the server answered when it refused the mail itself. Of all other answers the connection, the sign-in or the sender is to
 * blame, which somebody may mend. `API`: the address is none.
 */
const aboutTheMail = new Set<string | undefined>(['RCPT TO', 'DATA', 'API']);

/** MailSender on SMTP. @throws Error when the URL is none of a mail server */
export function createSmtpMailSender(options: SmtpMailSenderOptions): MailSender {
  const { url, from, connections = 5, silenceMs = 20_000, tls = {} } = options;
  const { host, port, secure, requireTLS, auth, local } = smtpTarget(url);
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  const transport = createTransport({
    host, port, secure, requireTLS, ...(auth && { auth }),
    pool: true, maxConnections: connections, maxMessages: mailsPerConnection,
    connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs, dnsTimeout: silenceMs,
    tls: { ...tls, ...(local && tls.ca === undefined && { rejectUnauthorized: false }) },
    // A mail says all by itself: nothing is read from a file or an address.
    disableFileAccess: true, disableUrlAccess: true,
  });
  return {
    async send({ id, to, subject, text, html, writtenAt }) {
      try {
        await transport.sendMail({
          // As an object, so that nothing in the text of an address makes more addresses.
          from, to: { name: '', address: to }, subject, text, html, messageId: `<${id}@${domain}>`, date: writtenAt,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { ok: true };
      } catch (error) {
        return failure(error as NodemailerError);
      }
    },
    close: async () => transport.close(),
  };
}

/** The text of the error stays here: it repeats the address, or what the server says of it. */
function failure({ code = 'unknown', command, permanent, responseCode }: NodemailerError): Extract<SendOutcome, { ok: false }> {
  const refused = aboutTheMail.has(command) && (permanent ?? command === 'API');
  return { ok: false, permanent: refused, reason: responseCode === undefined ? code : `${code} ${responseCode}` };
}
