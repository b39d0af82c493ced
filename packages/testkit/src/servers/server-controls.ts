import { rmSync } from 'node:fs';
import type { Kept } from './keep';

/** How a test ends a server and starts it again, on the same ports and data. */
export interface ServerControls {
  /** The server's current process id. */
  pid(): number;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** Ends it as an administrator would, keeps its data. `restart` starts it again. */
  pause(): Promise<void>;
  /** SIGKILL, as a crash would. `restart` starts it again. */
  kill(): Promise<void>;
  /** Starts it again, stopping it first when it runs. */
  restart(): Promise<void>;
}

/** The controls of a server that runs in `folder`. @param again starts it on what the folder has */
export function serverControls(first: Kept, folder: string, again: () => Promise<Kept>): ServerControls {
  let kept = first;
  return {
    pid: () => kept.pid,
    stop: async () => {
      await kept.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    pause: () => kept.stop({ keep: true }),
    kill: () => kept.kill(),
    restart: async () => {
      await kept.stop({ keep: true });
      kept = await again();
    },
  };
}
