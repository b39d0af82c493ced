/** `npm run simulate`: the flow runner in seeded worlds (docs/simulation.md). */
import { join } from 'node:path';
import { become } from './lib/child.mjs';
import { root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export function main(args) {
  return become(process.execPath, [join(root, 'services', 'flow-runner', 'dist', 'simulation', 'main.js'), ...args], { cwd: root });
}
