/** A connection of one process to a store in memory. */
export interface MemorySession {
  id: number;
  /** When it was opened, in the store's time. */
  since: number;
}

/** Who is connected to a store in memory: a process has one session at a time, and opens another one when it is gone. */
export function memorySessions(now: () => number) {
  const open = new Set<number>();
  let opened = 0;
  return {
    isOpen: (id: number): boolean => open.has(id),
    connect() {
      let session: MemorySession | null = null;
      return {
        /** The session of this process. */
        current(): MemorySession {
          if (session === null || !open.has(session.id)) session = { id: (opened += 1), since: now() };
          open.add(session.id);
          return session;
        },
        end(): void {
          if (session) open.delete(session.id);
        },
      };
    },
    /** The store restarts. */
    endAll: (): void => open.clear(),
  };
}
