import { LRUCache } from 'lru-cache';
import type { GuestChild } from './guest-child';

/** How long the next children of an organization start with the lower priority, milliseconds. */
const rememberedMs = 60_000;

/**
 * Lowers the priority of children whose functions compute much, and of the next ones of their organizations: whoever floods its
 * functions slows neither the service down nor the functions of others. A child that is calm again makes room for another one.
 */
export class PriorityWatch {
  private readonly busy = new LRUCache<string, true>({ max: 10_000, ttl: rememberedMs });

  /** @param computed told what the functions of an organization have computed, in milliseconds of a processor */
  constructor(private readonly computed: (organizationId: string, ms: number) => void) {}

  /** Whether the functions of the organization computed much within the last minute. */
  isBusy(organizationId: string): boolean {
    return this.busy.has(organizationId);
  }

  /** A child was given to an organization. */
  assigned({ organizationId, priority }: GuestChild): void {
    if (organizationId !== null && this.isBusy(organizationId)) priority.lower();
  }

  look(children: Iterable<GuestChild>): void {
    for (const child of children) {
      const { isStarting, organizationId, priority } = child;
      // A start computes much, whatever the functions do.
      if (isStarting) continue;
      const computedMs = priority.look(child.served - child.load);
      if (organizationId !== null) {
        this.computed(organizationId, computedMs);
        if (priority.isBusy) this.busy.set(organizationId, true);
      }
      if (!priority.isCalm) continue;
      child.retiring = true;
      if (child.claims === 0) child.kill('it is calm again');
    }
  }
}
