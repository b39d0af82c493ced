/** So long after its last invocation an organization counts as at work, milliseconds. */
const atWorkMs = 1_000;

/** Tells whether others than an organization run functions, wait for that, or did so a moment ago. */
export class OthersAtWork {
  /** Invocations that have not ended, by organization, and of all. */
  private readonly open = new Map<string, number>();
  private total = 0;
  /** The last end of an invocation, and the last one of another organization than that. */
  private last = { organizationId: '', at: -Infinity };
  private otherAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  began(organizationId: string): void {
    this.total += 1;
    this.open.set(organizationId, this.openOf(organizationId) + 1);
  }

  ended(organizationId: string): void {
    this.total -= 1;
    const left = this.openOf(organizationId) - 1;
    if (left > 0) this.open.set(organizationId, left);
    else this.open.delete(organizationId);
    if (organizationId !== this.last.organizationId) this.otherAt = this.last.at;
    this.last = { organizationId, at: this.now() };
  }

  than(organizationId: string): boolean {
    if (this.total > this.openOf(organizationId)) return true;
    const at = organizationId === this.last.organizationId ? this.otherAt : this.last.at;
    return this.now() - at <= atWorkMs;
  }

  private openOf(organizationId: string): number {
    return this.open.get(organizationId) ?? 0;
  }
}
