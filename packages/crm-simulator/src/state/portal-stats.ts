/** Counters of one portal since the last reset. */
export class PortalStats {
  calls = 0;
  rejectedByLimit = 0;
  highestConcurrency = 0;
  readonly callsByRoute = new Map<string, Map<number, number>>();
  readonly recordsWritten = new Map<string, number>();
  #running = 0;

  enter(): void {
    this.#running += 1;
    if (this.#running > this.highestConcurrency) this.highestConcurrency = this.#running;
  }

  leave(): void {
    this.#running -= 1;
  }

  /** One finished call; status 0 stands for a connection that was cut. */
  countCall(route: string, status: number): void {
    this.calls += 1;
    const statuses = this.callsByRoute.get(route) ?? new Map<number, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    this.callsByRoute.set(route, statuses);
  }

  countWrites(objectType: string, records: number): void {
    this.recordsWritten.set(objectType, (this.recordsWritten.get(objectType) ?? 0) + records);
  }
}
