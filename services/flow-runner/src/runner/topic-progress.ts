/** Whether the reading of a topic goes on, and if not, why. */
export interface Progress {
  ok: boolean;
  reason?: string;
}

const longestSilenceMs = 30_000;
const longestStuckMs = 60_000;

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`;

/**
 * @param silentMs how long nothing was heard from the bus; undefined: not subscribed
 * @param stuckMs how long nothing got done although something is under way
 */
export function progressOf(silentMs: number | undefined, stuckMs: number): Progress {
  if (silentMs === undefined) return { ok: false, reason: 'not subscribed to the bus' };
  if (silentMs > longestSilenceMs) return { ok: false, reason: `nothing heard from the bus for ${seconds(silentMs)}` };
  if (stuckMs > longestStuckMs) return { ok: false, reason: `no unit of work finished for ${seconds(stuckMs)}` };
  return { ok: true };
}

/** Resolves when `idle` says so, or after the patience. */
export async function untilIdle(
  { monotonicNow, sleep }: { monotonicNow(): number; sleep(ms: number): Promise<void> },
  patienceMs: number,
  idle: () => boolean,
): Promise<void> {
  for (const deadline = monotonicNow() + patienceMs; !idle() && monotonicNow() < deadline; ) await sleep(20);
}
