import { simulate, type SimReport } from './simulate';
import { createVirtualTime } from './time/virtual-time';

/** The result of one seed. */
export type SeedResult = { seed: number; ok: true; report: SimReport } | { seed: number; ok: false; error: string };

/** Runs one seed in its own world and virtual time. Never rejects. */
export async function runSeed(seed: number): Promise<SeedResult> {
  const rejections: unknown[] = [];
  const note = (error: unknown): void => void rejections.push(error);
  // Stack traces of errors that are part of the world cost more than the errors do.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  process.on('unhandledRejection', note);
  try {
    const time = createVirtualTime();
    const report = await time.run(() => simulate(seed, time));
    // Node reports unhandled rejections once its own queues are empty.
    await new Promise((resolve) => { setImmediate(resolve); });
    if (rejections.length > 0) return { seed, ok: false, error: `an unhandled rejection: ${textOf(rejections[0])}` };
    return { seed, ok: true, report };
  } catch (error) {
    return { seed, ok: false, error: textOf(error) };
  } finally {
    process.off('unhandledRejection', note);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
