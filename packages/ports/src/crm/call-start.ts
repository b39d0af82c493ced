import type { CallFailure } from '@sluice/contracts';

/** The answer to a call that was not sent: another runner now owns the units that it is made for. */
export const leaseLost = {
  ok: false,
  kind: 'transient',
  code: 'lease_lost',
  message: 'the partition moved to another runner',
} as const satisfies CallFailure;

/** The leases under which calls are made. */
export interface CallLeases {
  /** Resolves to true when a call with this timeout can end inside the leases, to false when they are lost. */
  insideLease(callTimeoutMs: number): Promise<boolean>;
  /**
   * A call that has an effect outside starts; the answer is called when it has ended. So the successor of a runner that dies
   * knows how long its calls may still take. Absent: there is no successor.
   */
  callStarted?(): () => void;
}

/** The result of a call that has an effect outside. It starts now. */
export async function timed<T>({ callStarted }: CallLeases, call: () => Promise<T>): Promise<T> {
  const ended = callStarted?.();
  try {
    return await call();
  } finally {
    ended?.();
  }
}

/**
 * Why a call may not be sent; null: it may. Called right before each request to the CRM or to a REST destination, repeats
 * included, and nowhere else (docs/architecture.md, Who owns a partition).
 * @param owned whether this runner still owns all units that the call is made for
 */
export async function startRefusal(
  { insideLease }: CallLeases, callTimeoutMs: number, owned: () => boolean,
): Promise<typeof leaseLost | null> {
  return (await insideLease(callTimeoutMs)) && owned() ? null : leaseLost;
}
