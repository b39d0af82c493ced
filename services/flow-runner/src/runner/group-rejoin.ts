export interface GroupRejoinOptions {
  /** Leaves the group; what is read from then on comes from a new membership. */
  leave(): Promise<void>;
  join(): Promise<void>;
  failed(error: unknown): void;
}

/**
 * Joins a group anew after leases were lost. Leases are mostly lost together (the process slept, the database was away), and each
 * rejoin makes the whole group rebalance: all that are lost before the new membership begins share one.
 */
export class GroupRejoin {
  private asked = false;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: GroupRejoinOptions) {}

  ask(): void {
    if (this.asked) return;
    this.asked = true;
    this.running = this.running.then(() => this.rejoin());
  }

  /** Resolves when no rejoin is under way. */
  idle(): Promise<void> {
    return this.running;
  }

  private async rejoin(): Promise<void> {
    try {
      await this.options.leave();
      // A lease that is lost from here on belongs to the new membership.
      this.asked = false;
      await this.options.join();
    } catch (error) {
      this.asked = false;
      this.options.failed(error);
    }
  }
}
