/**
 * `npm run new:service -- <name>`: a service that starts, answers /livez, /readyz and /metrics, and stops in order; composed by
 * `npm start`, with an image, a service of compose and a deployment of Kubernetes.
 */
import { join } from 'node:path';
import { ChangeSet } from './lib/change-set.mjs';
import { run } from './lib/child.mjs';
import { findPnpm } from './lib/install.mjs';
import { announce, camel } from './lib/scaffold.mjs';
import { serviceEntry, serviceTemplate } from './lib/service-template.mjs';
import { withElement, withImport } from './lib/source-edit.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export async function main([name]) {
  if (!name || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new StepError('Usage: npm run new:service -- <name-in-kebab-case>');
  announce(scaffoldService(root, name));
  const [command, ...prefix] = await findPnpm();
  await shown(command, [...prefix, 'install', '--no-frozen-lockfile', '--prefer-offline']);
  // A process of its own: what this one has loaded is from before.
  await shown(process.execPath, [join(root, 'tools', 'run.mjs'), 'gen']);
  process.stdout.write(
    `Next: its work in services/${name}/src/compose.ts; what it needs in packages/deployment/src/services.ts, then \`npm run gen\`. ` +
      `Run it with npm run service -- ${name}, or with the others by npm start.\n`,
  );
  return 0;
}

async function shown(command, args) {
  const { code } = await run(command, args, { cwd: root, show: true });
  if (code !== 0) throw new StepError(`\`${[command, ...args].join(' ')}\` failed; see above. The files are made.`);
}

/**
 * Writes `services/<name>` under `base`, and enters it in the list of services and in what `npm start` composes.
 * @returns {string[]} paths made or changed
 */
export function scaffoldService(base, name) {
  const changes = new ChangeSet(base);
  for (const [path, content] of serviceTemplate(name)) changes.create(`services/${name}/${path}`, content);
  changes.edit('packages/deployment/src/services.ts', (source) => withElement(source, 'services', serviceEntry(name)));
  changes.edit('services/standalone/src/compose.ts', (source) =>
    withElement(withImport(source, { from: `@sluice/${name}`, name: camel(name) }), 'services', camel(name)));
  changes.edit('services/standalone/package.json', (source) => withDependency(source, `@sluice/${name}`));
  return changes.write();
}

function withDependency(source, name) {
  const manifest = JSON.parse(source);
  manifest.dependencies[name] = 'workspace:*';
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
