import { setTimeout as sleep } from 'node:timers/promises';
import { defineWorker, type RunContext, type Worker } from '@sluice/background';
import type { DueMail, Logger, MailEnd, MailSender, MailStore, SendOutcome } from '@sluice/ports';
import type { CounterMetric, Metrics } from '@sluice/service-kit';
import type { Mailer } from './create-mailer';

export interface MailWorkerOptions {
  mails: Pick<MailStore, 'end' | 'putOff' | 'take'>;
  sender: MailSender;
  mailer: Pick<Mailer, 'open'>;
  logger: Logger;
  metrics: Metrics;
  /** Milliseconds between tries; the last one repeats. */
  waitsMs: readonly number[];
  /** Milliseconds after which a mail that was not taken is given up. */
  giveUpMs: number;
  /** Mails tried at the same time. */
  atOnce: number;
}

/** How often the store is asked for mails. */
const everyMs = 500;
/** Another process takes over after this long from one that was killed. */
const leaseMs = 5_000;

/** `config.mails`: hands over what waits. */
export function createMailWorker(options: MailWorkerOptions): Worker {
  const round = new MailRounds(options);
  return defineWorker({
    name: 'config.mails', schedule: { every: everyMs }, leaseMs,
    /** Round after round, for as long as this process has the lease. */
    run: async (context) => {
      while (!context.signal.aborted) {
        const tried = await round.run(context);
        if (tried === 0) await sleep(everyMs, undefined, { signal: context.signal }).catch(() => undefined);
      }
    },
  });
}

/**
 * A try is noted before the mail goes out, and its end after the server's answer. A process that dies in between leaves the mail
 * due again, with the same id: it is lost never, and sent again only when the server's answer is what was lost
 * (ADR 0153). While the process lives, nothing that was handed over is tried again, also when its end could not be noted.
 */
class MailRounds {
  private readonly handedOver = new Set<string>();
  private readonly ended: CounterMetric;
  private away = false;

  constructor(private readonly options: MailWorkerOptions) {
    this.ended = options.metrics.counter({
      name: 'mails_total', help: 'Mails that were sent, put off or not sent, by outcome.', labels: ['outcome'],
    });
  }

  /** @returns how many were tried */
  async run({ fence, isOwned }: Pick<RunContext, 'fence' | 'isOwned'>): Promise<number> {
    const { mails, atOnce, waitsMs } = this.options;
    const due = await mails.take(fence, { limit: atOnce, againMs: waitsMs[0]! });
    const tries = await Promise.allSettled(due.map((mail) => (isOwned() ? this.try(mail) : undefined)));
    const failed = tries.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
    return due.length;
  }

  private async try(mail: DueMail): Promise<void> {
    const outcome = this.handedOver.has(mail.id) ? { ok: true as const } : await this.send(mail);
    if (!outcome.ok) return this.notTaken(mail, outcome);
    this.handedOver.add(mail.id);
    await this.end(mail, 'sent');
    this.handedOver.delete(mail.id);
    if (this.away) this.options.logger.info('mails are sent again');
    this.away = false;
  }

  private async send({ id, to, sealed, createdAt: writtenAt }: DueMail): Promise<SendOutcome> {
    const { mailer, sender } = this.options;
    try {
      const { subject, text, html } = mailer.open({ id, sealed });
      return await sender.send({ id, to, subject, text, html, writtenAt });
    } catch {
      // Its key is missing in SLUICE_ENCRYPTION_KEYS, which somebody may mend.
      return { ok: false, permanent: false, reason: 'unreadable' };
    }
  }

  private async notTaken(mail: DueMail, { permanent, reason }: { permanent: boolean; reason: string }): Promise<void> {
    const { mails, logger, waitsMs, giveUpMs } = this.options;
    const { id, kind, attempt, ageMs } = mail;
    const fields = { mail_id: id, kind, attempt, reason };
    const waitMs = waitsMs[Math.min(attempt, waitsMs.length) - 1]!;
    if (permanent || ageMs + waitMs > giveUpMs) {
      logger.warn(permanent ? 'a mail was refused for good' : 'a mail is given up: it was put off for too long', fields);
      return this.end(mail, permanent ? 'refused' : 'given_up');
    }
    logger[this.away ? 'debug' : 'warn']('a mail was not taken and waits', { ...fields, wait_ms: waitMs });
    this.away = true;
    this.ended.inc({ outcome: 'put_off' });
    await mails.putOff(id, { waitMs, reason });
  }

  private async end({ id }: DueMail, how: MailEnd): Promise<void> {
    await this.options.mails.end(id, how);
    this.ended.inc({ outcome: how });
  }
}
