/** `npm run assistant-eval`: tasks for the assistant, scored by what arrives in the CRM (docs/testing.md). */
import { join } from 'node:path';
import { become } from './lib/child.mjs';
import { root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export function main(args) {
  const script = join(root, 'test-e2e', 'dist', 'assistant-eval', 'main.js');
  return become(process.execPath, ['--enable-source-maps', script, ...args], { cwd: root });
}
