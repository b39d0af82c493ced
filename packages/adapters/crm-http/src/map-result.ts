import type { CrmResult } from '@sluice/ports';

/** Maps the value of a successful call; a failure passes through. */
export function mapResult<A, B>(result: CrmResult<A>, map: (value: A) => B): CrmResult<B> {
  return result.ok ? { ...result, value: map(result.value) } : result;
}
