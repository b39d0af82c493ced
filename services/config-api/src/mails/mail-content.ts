/** A mail before it is written as text and as HTML. Everything in it is plain text. */
export interface MailContent {
  subject: string;
  /** One line each. */
  paragraphs: readonly string[];
  /** The only link, where the mail has one. It is the only place that holds a token. */
  link?: { label: string; url: string };
  /** A code to type, beside the link. */
  code?: string;
  /** Follows the link: what to do when the mail was not expected. */
  closing: string;
}

/** A mail as it is sent. */
export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
  links: string[];
}
