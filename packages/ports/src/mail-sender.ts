/** A mail as a server gets it. */
export interface OutgoingMail {
  /** The same in every try: a mailbox that gets a mail twice can know it by this. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** When it was written. */
  writtenAt: Date;
}

/**
 * What became of a try. `permanent`: the server refuses this mail for good, another try is of no use. `reason` names codes only:
 * no address, and nothing of the mail.
 */
export type SendOutcome = { ok: true } | { ok: false; permanent: boolean; reason: string };

/** Hands mails over to a server that delivers them. A mail counts as handed over once the server has answered that it has it. */
export interface MailSender {
  /** Takes as long as the server does, up to a bound. Throws nothing. */
  send(mail: OutgoingMail): Promise<SendOutcome>;
  close(): Promise<void>;
}
