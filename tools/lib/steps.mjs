/** Progress lines for long work: one per step, with its seconds; nothing for steps that had nothing to do. */

/** A failure whose message is all the user needs; shown without a stack. */
export class StepError extends Error {}

/**
 * Runs one step and prints `label ... 1.2 s`. Output of the step itself appears between the two parts.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(label, work) {
  const started = performance.now();
  process.stderr.write(`• ${label} ...\n`);
  const result = await work();
  process.stderr.write(`✓ ${label} (${seconds(started)} s)\n`);
  return result;
}

/** Seconds since `started` (a performance.now() value), one decimal. */
export function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(1);
}
