import { performance } from 'node:perf_hooks';

/** In use for more than this part of the time, the event loop is busy. */
const busyShare = 0.3;
const lookEveryMs = 250;

/** Tells whether the event loop was busy in the last quarter of a second. */
export function loopLoad(): () => boolean {
  let [last, at, busy] = [performance.eventLoopUtilization(), performance.now(), false];
  return () => {
    if (performance.now() - at < lookEveryMs) return busy;
    busy = performance.eventLoopUtilization(last).utilization > busyShare;
    [last, at] = [performance.eventLoopUtilization(), performance.now()];
    return busy;
  };
}
