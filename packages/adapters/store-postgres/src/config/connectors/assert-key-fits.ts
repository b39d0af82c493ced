import { KeyLimitReached, type NewApiKey } from '@sluice/ports';

/** @param usage usable keys of the owner, counted under the lock of the owner's row */
export function assertKeyFits({ keysLimit = null }: NewApiKey, usage: number): void {
  if (keysLimit !== null && usage >= keysLimit) throw new KeyLimitReached(usage);
}
