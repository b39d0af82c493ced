import type { MailStore } from '@sluice/ports';
import type { Metrics } from '@sluice/service-kit';
import { keptFor } from '../limits/kept-for';

/** Scrapes in quick succession share a reading. */
const freshMs = 1_000;

/** Gauges of the mails that wait to be sent. */
export function watchMails(mails: Pick<MailStore, 'waiting'>, metrics: Metrics): void {
  const recent = keptFor(freshMs, () => mails.waiting());
  metrics.gauge(
    { name: 'mails_waiting', help: 'Mails that wait to be sent.' },
    async (gauge) => gauge.set((await recent()).mails),
  );
  metrics.gauge(
    { name: 'mails_oldest_seconds', help: 'How long the oldest mail waits to be sent; 0: none does.' },
    async (gauge) => gauge.set((await recent()).oldestMs / 1_000),
  );
}
