/** Tells those who follow a session in this process that there is something new, so that they need not ask all the time. */
export class EventWaiters {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves at the next `wake` of the session, after a time, or when the signal is aborted. */
  next(sessionId: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const set = this.waiting.get(sessionId) ?? new Set();
      this.waiting.set(sessionId, set);
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        set.delete(done);
        if (set.size === 0 && this.waiting.get(sessionId) === set) this.waiting.delete(sessionId);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) return done();
      set.add(done);
    });
  }

  wake(sessionId: string): void {
    for (const done of [...(this.waiting.get(sessionId) ?? [])]) done();
  }
}
