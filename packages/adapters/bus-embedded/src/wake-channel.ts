import type { Pool, PoolClient } from 'pg';
import { takeClient } from './take-client';

/**
 * Wakes subscribers when there may be new messages: directly for those of this process, through LISTEN for those of others. Its
 * connection also shows whether the log answers. A lost wake-up costs one poll interval, never a message.
 */
export interface WakeChannel {
  /** Calls `wake` for `name` (`t<topic>`: appended, `g<topic>:<group>`: members changed). The returned function removes it. */
  on(name: string, wake: () => void): () => void;
  /** In this process only. */
  ring(name: string): void;
  healthy(): boolean;
  close(): Promise<void>;
}

const pingMs = 2_000;
const retryMs = 500;

export function createWakeChannel(pool: Pool): WakeChannel {
  const listeners = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let alive = false;

  const ring = (name: string): void => listeners.get(name)?.forEach((wake) => wake());
  const ringAll = (): void => [...listeners.keys()].forEach(ring);

  // The next ping fails too, and handles the broken connection.
  const dead = (): void => void (alive = false);

  const listen = async (client: PoolClient): Promise<void> => {
    client.on('notification', ({ payload }) => ring(payload ?? ''));
    await client.query('LISTEN sluice_bus');
    alive = true;
    // For notifications that were missed while there was no listener.
    ringAll();
    while (!closing.signal.aborted) {
      await pause(pingMs, closing.signal);
      const ping = { text: 'SELECT 1', query_timeout: 3_000 };
      await client.query(ping);
    }
  };
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const client = await takeClient(pool).catch(() => undefined);
      client?.on('error', dead);
      await (client ? listen(client) : Promise.resolve()).catch(() => undefined);
      alive = false;
      client?.off('error', dead).removeAllListeners('notification');
      client?.release(true);
      await pause(retryMs, closing.signal);
    }
  };
  const running = run();

  return {
    on: (name, wake) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(wake));
      return () => void set.delete(wake);
    },
    ring,
    healthy: () => alive,
    close: () => {
      closing.abort();
      return running;
    },
  };
}

/** Waits, or until the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
