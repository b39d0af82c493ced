/** `npm run chaos`: kills and restarts on real processes, and what became of every accepted event (docs/testing.md, Chaos). */
import { join } from 'node:path';
import { become } from './lib/child.mjs';
import { root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export function main(args) {
  const script = join(root, 'test-e2e', 'dist', 'chaos', 'main.js');
  return become(process.execPath, ['--enable-source-maps', script, ...args], { cwd: root });
}
