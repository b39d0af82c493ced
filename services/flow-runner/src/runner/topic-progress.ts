import type { MonotonicClock } from '@sluice/ports';
/** Whether the reading of a topic makes progress, and if not, why. */
export interface Progress {
  ok: boolean;
  reason?: string;
}

const longestSilenceMs = 30_000;
const longestStuckMs = 60_000;

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

/**
 * @param silentMs how long the bus has been silent; undefined: not subscribed
 * @param stuckMs how long no unit has finished although units are under way
 */
export function progressOf(silentMs: number | undefined, stuckMs: number): Progress {
  if (silentMs === undefined) return { ok: false, reason: 'not subscribed to the bus' };
  if (silentMs > longestSilenceMs) return { ok: false, reason: `the bus has been silent for ${seconds(silentMs)}` };
  if (stuckMs > longestStuckMs) return { ok: false, reason: `no unit of work finished for ${seconds(stuckMs)}` };
  return { ok: true };
}

/** Resolves when `idle` returns true, or after the deadline. */
export async function untilIdle(
  { monotonicNow, sleep }: { monotonicNow: MonotonicClock; sleep(ms: number): Promise<void> },
  patienceMs: number,
  idle: () => boolean,
): Promise<void> {
  for (const deadline = monotonicNow() + patienceMs; !idle() && monotonicNow() < deadline; ) await sleep(20);
}
