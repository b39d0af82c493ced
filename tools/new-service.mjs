/** `npm run new:service -- <name>`: a service that starts, answers /livez, /readyz and /metrics, and stops in order. */
import { run } from './lib/child.mjs';
import { announce, writeNew } from './lib/scaffold.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';
import { serviceTemplate } from './lib/service-template.mjs';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  if (!name || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new StepError('Usage: npm run new:service -- <name-in-kebab-case>');
  process.stdout.write('Made:\n');
  announce(scaffoldService(root, name));
  const { code, output } = await run('pnpm', ['install', '--prefer-offline'], { cwd: root, show: true });
  if (code !== 0) process.stdout.write(`Enter it in the lock file: pnpm install (${output || code})\n`);
  process.stdout.write(`Next: its work in src/compose.ts; run it with npm run service -- ${name}; compose it in services/standalone.\n`);
  return 0;
}

/** Writes `services/<name>` under `base`. @returns {string[]} paths made */
export function scaffoldService(base, name) {
  const files = new Map([...serviceTemplate(name)].map(([path, content]) => [`services/${name}/${path}`, content]));
  writeNew(base, files);
  return [...files.keys()];
}
