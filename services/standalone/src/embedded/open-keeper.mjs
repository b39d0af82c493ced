/** Shared code of keepers: how they read their plan, and when they end. */
import { createInterface } from 'node:readline';

/**
 * Reads the plan, the first line of stdin. `whenLeft` runs its callback once, when stdin ends: the parent asked us to
 * end, or died.
 * @returns {Promise<{ plan: object, whenLeft(end: () => void): void }>}
 */
export async function openKeeper() {
  let left = false;
  let tell;
  const leave = () => {
    left = true;
    tell?.();
    tell = undefined;
  };
  const lines = createInterface({ input: process.stdin });
  const plan = new Promise((resolve) => lines.once('line', (line) => resolve(JSON.parse(line))));
  lines.once('close', leave);
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
  // The reader of stdout may be gone.
  process.stdout.on('error', () => undefined);
  return {
    plan: await plan,
    whenLeft: (end) => {
      if (left) end();
      else tell = end;
    },
  };
}

/** Reports to the parent that the part is ready, or why it is not. */
export function say(words) {
  process.stdout.write(`${words}\n`);
}
