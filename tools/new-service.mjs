/** `npm run new:service -- <name>`: a service that starts, answers /livez, /readyz and /metrics, and stops in order. */
import { run } from './lib/child.mjs';
import { findPnpm } from './lib/install.mjs';
import { announce, writeNew } from './lib/scaffold.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';
import { serviceTemplate } from './lib/service-template.mjs';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  if (!name || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new StepError('Usage: npm run new:service -- <name-in-kebab-case>');
  announce(scaffoldService(root, name));
  const [command, ...prefix] = await findPnpm();
  const { code } = await run(command, [...prefix, 'install', '--no-frozen-lockfile', '--prefer-offline'], { cwd: root, show: true });
  if (code !== 0) throw new StepError('pnpm install failed; see above. The folder is made, the lock file does not know it yet.');
  process.stdout.write(
    `Next: its work in src/compose.ts; run it with npm run service -- ${name}; compose it in services/standalone; ` +
      'give it a target in infra/docker/Dockerfile.\n',
  );
  return 0;
}

/** Writes `services/<name>` under `base`. @returns {string[]} paths made */
export function scaffoldService(base, name) {
  const files = new Map([...serviceTemplate(name)].map(([path, content]) => [`services/${name}/${path}`, content]));
  writeNew(base, files);
  return [...files.keys()];
}
