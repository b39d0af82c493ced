import type { MailContent } from './mail-content';
import { mailName } from './mail-name';

const ignore = 'If you did not ask for this, ignore this mail: nothing changes.';

/** The mails of the product, by their kind. A template decides words alone; links come from who has the token. */
export const mailTemplates = {
  verify_email: ({ url }: { url: string }): MailContent => ({
    subject: 'Verify your email address',
    paragraphs: ['Somebody, probably you, signed up to Sluice with this address.'],
    link: { label: 'Verify the address', url },
    closing: ignore,
  }),

  invitation: (given: { url: string; organization: string; by: string; role: string }): MailContent => ({
    subject: `Join ${mailName(given.organization)} on Sluice`,
    paragraphs: [`${given.by} invites you to the organization "${mailName(given.organization)}" on Sluice, as ${given.role}.`],
    link: { label: 'Accept the invitation', url: given.url },
    closing: 'If you do not know who this is, ignore this mail: nothing happens.',
  }),

  data_export_requested: ({ organization, by }: { organization: string; by: string }): MailContent => ({
    subject: `All data of ${mailName(organization)} is being exported`,
    paragraphs: [
      `An export of data of the organization "${mailName(organization)}" was asked for by a key: ${mailName(by)}.`,
      'An export holds events, records and configs of the organization. It holds no passwords, keys or tokens.',
    ],
    closing: 'If nobody of you did this, revoke the key.',
  }),

  reset_password: ({ url }: { url: string }): MailContent => ({
    subject: 'Set a new password',
    paragraphs: ['Somebody, probably you, asked for a new password of the account with this address.'],
    link: { label: 'Set a new password', url },
    closing: ignore,
  }),

  change_email: ({ url, code }: { url: string; code: string }): MailContent => ({
    subject: 'Confirm your new email address',
    paragraphs: ['Somebody, probably you, wants to use this address for an account. It stays as it is until this is confirmed.'],
    link: { label: 'Confirm the address', url },
    code,
    closing: ignore,
  }),

  change_email_notice: ({ to }: { to: string }): MailContent => ({
    subject: 'Your email address is to be changed',
    paragraphs: [`Somebody, probably you, wants to change the address of your account to ${to}.`],
    closing: 'If this was not you, change your password now, and end the sessions that you do not know.',
  }),

  email_changed: ({ to }: { to: string }): MailContent => ({
    subject: 'Your email address was changed',
    paragraphs: [`The address of your account is ${to} now. This one gets no more mails.`],
    closing: 'If this was not you, write to whoever runs this installation.',
  }),
} as const;

export type MailKind = keyof typeof mailTemplates;
export type MailData<K extends MailKind> = Parameters<(typeof mailTemplates)[K]>[0];
