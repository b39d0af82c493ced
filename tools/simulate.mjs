/** `npm run simulate`: the flow runner in seeded worlds (docs/simulation.md), or the capacity of installations (docs/scale.md). */
import { join } from 'node:path';
import { become } from './lib/child.mjs';
import { root } from './lib/workspace.mjs';

/**
 * A run is a minute of short-lived worlds: collecting on several threads and optimizing what is soon done costs more than it gains.
 * A fifth less CPU in all.
 */
const v8Flags = ['--single-threaded-gc', '--interrupt-budget=400000'];

/**
 * @param {{ yields?: boolean }} options see `become`
 * @returns {Promise<number>} exit code
 */
export function main(args, options = {}) {
  if (args[0] === 'capacity') return become(process.execPath, [join(root, 'packages', 'deployment', 'dist', 'capacity', 'main.js')], { cwd: root });
  const script = join(root, 'services', 'flow-runner', 'dist', 'simulation', 'main.js');
  return become(process.execPath, [...v8Flags, script, ...args], { ...options, cwd: root });
}
