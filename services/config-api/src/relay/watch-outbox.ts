import type { OutboxStore } from '@sluice/ports';
import type { Health, Metrics } from '@sluice/service-kit';
import { keptFor } from '../limits/kept-for';
import type { OutboxRelay } from './create-outbox-relay';

/** Milliseconds without a successful round after which the relay counts as stuck. */
const relayStuckMs = 60_000;
/** Probes and scrapes in quick succession share a reading. */
const freshMs = 1_000;

interface WatchedOutbox {
  outbox: Pick<OutboxStore, 'backlog'>;
  relay: Pick<OutboxRelay, 'sinceLastSuccessMs'>;
  /** Age of the oldest waiting message from which on the service is not ready. */
  staleMs: number;
}

/**
 * Readiness and gauges of the outbox. Set-aside messages are reported and counted, and the service stays ready: they concern
 * single connectors, and people need config-api to correct them.
 */
export function watchOutbox({ outbox, relay, staleMs }: WatchedOutbox, health: Health, metrics: Metrics): void {
  const recent = keptFor(freshMs, () => outbox.backlog());
  health.add('store', async () => {
    const { waiting, setAside } = await recent();
    return { ok: true, reason: `${waiting} changes wait to be published${setAside > 0 ? `, ${setAside} were set aside` : ''}` };
  });
  health.add('outbox', async () => {
    if (relay.sinceLastSuccessMs() >= relayStuckMs) return { ok: false, reason: 'the outbox relay makes no progress' };
    const { oldestMs } = await recent();
    return oldestMs < staleMs
      ? { ok: true }
      : { ok: false, reason: `a change has waited ${Math.round(oldestMs / 1_000)} s to be published` };
  });
  metrics.gauge({ name: 'outbox_waiting', help: 'Changes that wait to be published.' }, async (gauge) =>
    gauge.set((await recent()).waiting),
  );
  metrics.gauge(
    { name: 'outbox_oldest_seconds', help: 'How long the oldest change waits to be published; 0: none does.' },
    async (gauge) => gauge.set((await recent()).oldestMs / 1_000),
  );
  metrics.gauge({ name: 'outbox_set_aside', help: 'Changes that can never be published and were set aside.' }, async (gauge) =>
    gauge.set((await recent()).setAside),
  );
}
