/**
 * Runs one call per key at a time: whoever asks for a key while its call runs gets the outcome of that call, a refusal as well.
 * A key is forgotten when its call has ended.
 */
export class SingleFlight<Result> {
  private readonly running = new Map<string, Promise<Result>>();

  /** @param start is called unless a call of the key runs */
  run(key: string, start: () => Promise<Result>): Promise<Result> {
    const running = this.running.get(key);
    if (running) return running;
    const started = start().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
