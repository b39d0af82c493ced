/** tools/import-circles.json without the circles that are open by now. */
import { prunedCircles } from '../lib/import-circles.mjs';

export const generator = {
  name: 'import-circles',
  /** @returns {Promise<Map<string, string>>} */
  outputs: async () => new Map([['tools/import-circles.json', `${JSON.stringify(prunedCircles(), null, 2)}\n`]]),
};
