import { BlobStoreUnavailable } from '@sluice/ports';

/**
 * Node works on files in four threads, which name lookups need too. A call that hangs (a network folder whose server is away)
 * keeps its thread: while this many hang, no further call is made.
 */
const maxHanging = 2;

/** Runs a call, whose errors pass through. @throws BlobStoreUnavailable when it takes too long */
export type BoundedCalls = <T>(call: () => Promise<T>) => Promise<T>;

/** @param timeoutMs milliseconds that one call may take */
export function createBoundedCalls(timeoutMs: number): BoundedCalls {
  let hanging = 0;
  return (call) => {
    if (hanging >= maxHanging) return Promise.reject(new BlobStoreUnavailable('The blob folder does not answer.'));
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        hanging += 1;
        reject(new BlobStoreUnavailable(`The blob folder has not answered within ${timeoutMs} ms.`));
      }, timeoutMs);
      // A call that ends too late only frees its thread.
      const ended = (): void => {
        clearTimeout(timer);
        if (late) hanging -= 1;
      };
      call().finally(ended).then(resolve, reject);
    });
  };
}
