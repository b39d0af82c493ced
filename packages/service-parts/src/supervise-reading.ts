import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBus } from '@sluice/ports';
import { createMonotonicClock, ReadingSupervisor, type ServiceContext } from '@sluice/service-kit';
import type { StoreSettings } from './parts/parts-settings';

/**
 * Keeps a service reading topics: the one supervisor of its readers and followers. Adds the checks `reading` (readiness and
 * liveness) and `event bus` (readiness) to the health of the service.
 * @param patienceMs how long reading may fail before the service is not ready. Default 0
 */
export function superviseReading(
  bus: Pick<EventBus, 'healthy'>,
  { settings, logger, metrics, health }: Pick<
    ServiceContext<Pick<StoreSettings, 'readingWaitsMs' | 'readingDeadAfterMs'>>, 'settings' | 'logger' | 'metrics' | 'health'
  >,
  patienceMs = 0,
): ReadingSupervisor {
  const { readingWaitsMs: waitsMs, readingDeadAfterMs: deadAfterMs } = settings;
  const monotonicNow = createMonotonicClock();
  const supervisor = new ReadingSupervisor({ waitsMs, deadAfterMs, logger, metrics, monotonicNow, sleep: (ms) => sleep(ms) });
  health.add('reading', () => supervisor.ready(patienceMs));
  health.addLiveness('reading', () => supervisor.alive());
  health.add('event bus', () => (bus.healthy() ? { ok: true } : { ok: false, reason: 'the event bus does not answer' }));
  return supervisor;
}
