/** Bounds of what waits for a child. */
export interface QueueLimits {
  /** Invocations and bytes of payload of one organization. */
  perOrganization: { items: number; bytes: number };
  /** Bytes of all organizations. */
  bytes: number;
}

/** Something that waits for a child of its organization. */
export interface Queued {
  organizationId: string;
  bytes: number;
}

/**
 * What waits for a child, by organization: first in, first out, and the organizations take turns. Pure state.
 */
export class OrganizationQueues<T extends Queued> {
  private readonly queues = new Map<string, { items: T[]; bytes: number }>();
  private bytes = 0;

  constructor(private readonly limits: QueueLimits) {}

  /** @returns false: over a bound, it is refused */
  push(item: T): boolean {
    const { perOrganization, bytes } = this.limits;
    const queue = this.queues.get(item.organizationId) ?? { items: [], bytes: 0 };
    const isFull = queue.items.length >= perOrganization.items || queue.bytes + item.bytes > perOrganization.bytes;
    if (isFull || this.bytes + item.bytes > bytes) return false;
    queue.items.push(item);
    queue.bytes += item.bytes;
    this.bytes += item.bytes;
    this.queues.set(item.organizationId, queue);
    return true;
  }

  /** Organizations with something that waits; whose turn is next comes first. */
  organizations(): string[] {
    return [...this.queues.keys()];
  }

  /** The next item of the organization. */
  peek(organizationId: string): T | undefined {
    return this.queues.get(organizationId)?.items[0];
  }

  /** The next item of the organization, whose turn then is over. */
  take(organizationId: string): T | undefined {
    const queue = this.queues.get(organizationId);
    const item = queue?.items.shift();
    if (!queue || !item) return undefined;
    this.forget(queue, item);
    this.queues.delete(organizationId);
    if (queue.items.length > 0) this.queues.set(organizationId, queue);
    return item;
  }

  /** Takes out what meets the condition. */
  remove(where: (item: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [organizationId, queue] of this.queues) {
      const left: T[] = [];
      for (const item of queue.items) {
        if (!where(item)) left.push(item);
        else {
          removed.push(item);
          this.forget(queue, item);
        }
      }
      queue.items = left;
      if (queue.items.length === 0) this.queues.delete(organizationId);
    }
    return removed;
  }

  private forget(queue: { bytes: number }, item: T): void {
    queue.bytes -= item.bytes;
    this.bytes -= item.bytes;
  }
}
