import type { CallFailure } from './crm-records';

/** The answer to a call that was not sent: the units that it is made for are another runner's now. */
export const leaseLost = {
  ok: false,
  kind: 'transient',
  code: 'lease_lost',
  message: 'the partition moved to another runner',
} as const satisfies CallFailure;

/** The leases under which calls are made. */
export interface CallLeases {
  /** Resolves to true when a call of so many milliseconds can end inside the leases, to false when they are lost. */
  insideLease(callTimeoutMs: number): Promise<boolean>;
}

/**
 * What keeps a call from being sent; null: nothing does. Asked right before each request to the CRM or to a REST destination,
 * repeats included, and nowhere else (docs/architecture.md, Who owns a partition).
 * @param owned whether all units that it is made for are still ours
 */
export async function startRefusal(
  { insideLease }: CallLeases, callTimeoutMs: number, owned: () => boolean,
): Promise<typeof leaseLost | null> {
  return (await insideLease(callTimeoutMs)) && owned() ? null : leaseLost;
}
