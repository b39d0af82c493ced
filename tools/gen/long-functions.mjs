/** tools/long-functions.json without the functions that are short enough by now; those that became shorter may not grow again. */
import { prunedLongFunctions } from '../lib/long-functions.mjs';

export const generator = {
  name: 'long-functions',
  /** @returns {Promise<Map<string, string>>} */
  outputs: async () => new Map([['tools/long-functions.json', `${JSON.stringify(prunedLongFunctions(), null, 2)}\n`]]),
};
