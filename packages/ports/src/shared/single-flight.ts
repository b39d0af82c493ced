/** Runs work once for concurrent calls: a call while it is under way gets the same answer. */
export class SingleFlight<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  /** Keys whose work is under way. */
  get size(): number {
    return this.underWay.size;
  }

  /** The answer of the work that is under way for the key. */
  joined(key: string): Promise<T> | undefined {
    return this.underWay.get(key);
  }

  /**
   * The answer of the work under way for the key, else of `work`. A failure is passed to all waiting calls; the next call starts
   * again.
   */
  run(key: string, work: () => Promise<T>): Promise<T> {
    let answer = this.underWay.get(key);
    if (!answer) {
      answer = work().finally(() => this.underWay.delete(key));
      this.underWay.set(key, answer);
    }
    return answer;
  }
}
