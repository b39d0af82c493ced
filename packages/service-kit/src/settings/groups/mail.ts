import { defineSettings } from '../define-settings';

/** How mails are sent. */
export const mailSettings = defineSettings({
  smtpUrl: {
    env: 'SLUICE_SMTP_URL',
    type: 'url',
    schemes: ['smtp', 'smtps'],
    secret: true,
    defaultText: '(unset: mails go to `/operator/outbox`)',
    description:
      'The mail server: `smtp://user:password@host:port` or `smtps://`. A password goes to another machine over TLS only. Mails '
      + 'that wait are sent once it is set.',
  },
  mailFrom: {
    env: 'SLUICE_MAIL_FROM',
    type: 'mailbox',
    defaultText: '`Sluice <no-reply@host>`, with the host of the public URL',
    description: 'Whom mails come from: an address, or `Name <address>`.',
  },
  smtpConnections: {
    env: 'SLUICE_SMTP_CONNECTIONS',
    type: 'integer',
    min: 1,
    max: 100,
    default: '5',
    description: 'Connections to the mail server at most.',
  },
  mailRetryWaitsMs: {
    env: 'SLUICE_MAIL_RETRY_WAITS',
    type: 'seconds_list',
    min: 0.05,
    default: '10,30,60,120,300,900,1800,3600',
    description: 'Waits between the tries of a mail that the server did not take; the last one repeats.',
  },
  mailGiveUpMs: {
    env: 'SLUICE_MAIL_GIVE_UP',
    type: 'seconds',
    min: 1,
    default: '86400',
    description: 'A mail that was not taken for this long is given up.',
  },
});
