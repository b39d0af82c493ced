import type { Logger } from '@sluice/ports';
import { SettingsError } from '../settings/settings-error';
import type { Lifecycle } from './create-lifecycle';

/** The part of `process` that is used, so that tests can stand in. */
export interface ProcessLike {
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  exit(code: number): void;
}

/**
 * Starts a service and runs it until a signal. SIGTERM or SIGINT drains and exits 0 (1 when a part did not stop cleanly); a
 * second signal is logged and does not cut the drain short. An uncaught error is logged and exits 1 after the stop. A failed
 * start exits 1.
 */
export async function runUntilSignal(lifecycle: Lifecycle, logger: Logger, host: ProcessLike = process): Promise<void> {
  let leaving = false;
  const leave = async (reason: string, code: number): Promise<void> => {
    if (leaving) return;
    leaving = true;
    const { clean } = await lifecycle.stop(reason);
    host.exit(clean ? code : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) {
    host.on(signal, () => {
      if (leaving) logger.warn('signal ignored: already stopping', { signal });
      void leave(signal, 0);
    });
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    host.on(event, (error) => {
      logger.error(event, { error });
      void leave(event, 1);
    });
  }
  try {
    await lifecycle.start();
  } catch (error) {
    logger.debug('start error', { error });
    if (!leaving) host.exit(1);
  }
}

/**
 * The body of a service's main.ts: unusable settings are listed on stderr without a stack and exit 1, any other
 * error with its stack.
 */
export function runMain(main: () => Promise<void>, host: ProcessLike = process): void {
  main().catch((error: unknown) => {
    const text = error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`, () => host.exit(1));
  });
}
