/** tools/unused-code.json without the entries whose cause is gone: what they name is used now, or was removed. */
import { join } from 'node:path';
import { pruned, unusedNow } from '../lib/unused-code.mjs';
import { readJson, root } from '../lib/workspace.mjs';

export const generator = {
  name: 'unused-code',
  /** @returns {Promise<Map<string, string>>} */
  async outputs() {
    const path = 'tools/unused-code.json';
    return new Map([[path, `${JSON.stringify(pruned(readJson(join(root, path)), unusedNow()), null, 2)}\n`]]);
  },
};
