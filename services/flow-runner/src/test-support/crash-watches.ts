import { createActivity } from '@sluice/crm-writer';
import { type CrashWatchStore, monotonicClock, silentLogger } from '@sluice/ports';
import { createMemoryRunStore } from '@sluice/ports/testing';
import { CrashWatch } from '../crash-watch/crash-watch';

/** A crash watch of a process, with the usual numbers. */
export function crashWatchOn(store: CrashWatchStore): CrashWatch {
  let at = 0;
  return new CrashWatch({
    store,
    aloneDeaths: 2,
    watchMs: 60_000,
    windowSize: 100,
    activity: createActivity(),
    monotonicNow: monotonicClock(() => at),
    sleep: async (ms) => { at += ms; },
    logger: silentLogger,
  });
}

/** One under which nothing has died. */
export const calmCrashWatch = (): CrashWatch => crashWatchOn(createMemoryRunStore().crashWatch);
