import type { MailSender, OutgoingMail, SendOutcome } from '../../mail-sender';

/** A mail server that lies in memory. */
export interface MemoryMailSender extends MailSender {
  /** What was handed over, oldest first. */
  readonly sent: readonly OutgoingMail[];
  /** Every try, whatever became of it. */
  readonly tries: readonly OutgoingMail[];
  /** What the next tries for an address come to; null: they are taken again. */
  answer(to: string, outcome: SendOutcome | null): void;
  /** While it is away every try fails. */
  setAway(away: boolean): void;
}

export function createMemoryMailSender(): MemoryMailSender {
  const [sent, tries]: [OutgoingMail[], OutgoingMail[]] = [[], []];
  const answers = new Map<string, SendOutcome>();
  let away = false;
  return {
    sent,
    tries,
    answer: (to, outcome) => void (outcome === null ? answers.delete(to) : answers.set(to, outcome)),
    setAway: (next) => { away = next; },
    async send(mail) {
      tries.push(mail);
      if (away) return { ok: false, permanent: false, reason: 'ECONNECTION' };
      const answer = answers.get(mail.to) ?? { ok: true };
      if (answer.ok) sent.push(mail);
      return answer;
    },
    close: async () => undefined,
  };
}
