/** The state of a process, as its connections need it. */
export interface Connected {
  /** The process's name. */
  name: string;
  alive(): boolean;
  cutOff(): boolean;
  brokerAway(): boolean;
  /** Whether each of its calls to the CRM takes some seconds. */
  slowCalls: boolean;
  /** null: it runs. Otherwise resolves once the frozen process continues. */
  awake(): Promise<void> | null;
  /** Rejects when the process dies: the database rolls back its open transactions, and frees its row locks. */
  death: Promise<never>;
}

/**
 * An answer that never comes. One for each caller: a shared one would keep in memory whoever waits for it, and its whole world.
 */
export const never = (): Promise<never> => new Promise<never>(() => undefined);
