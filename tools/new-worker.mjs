/** `npm run new:worker -- <service> <name>`: work that runs in the background of a service, in one process at a time. */
import { ChangeSet } from './lib/change-set.mjs';
import { announce, camel } from './lib/scaffold.mjs';
import { withElement, withImport } from './lib/source-edit.mjs';
import { StepError } from './lib/steps.mjs';
import { root, serviceNames } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export async function main([service, name]) {
  const known = serviceNames().filter((each) => each !== 'standalone');
  if (!known.includes(service) || !/^[a-z]+(-[a-z]+)*$/.test(name ?? ''))
    throw new StepError(`Usage: npm run new:worker -- <service> <name-in-kebab-case>, the service one of: ${known.join(', ')}`);
  announce(scaffoldWorker(root, service, name));
  process.stdout.write('Next: its schedule, its lease and its work (packages/background/README.md).\n');
  return 0;
}

/**
 * Writes the worker under `base` and enters it in the list `workers` of the service's `compose.ts`, all of it or nothing.
 * @returns {string[]} paths made or changed
 */
export function scaffoldWorker(base, service, name) {
  const [folder, value] = [`services/${service}/src`, camel(name)];
  const changes = new ChangeSet(base);
  changes.create(`${folder}/workers/${name}.worker.ts`, workerSource(service, name, value));
  changes.create(`${folder}/workers/${name}.worker.test.ts`, testSource(name, value));
  changes.edit(`${folder}/compose.ts`, (source) =>
    withImport(withElement(source, 'workers', value), { from: `./workers/${name}.worker`, name: value }));
  return changes.write();
}

const workerSource = (service, name, value) => `import { defineWorker } from '@sluice/background';

const everyMs = 60_000;
const leaseMs = 30_000;

/** What it does, in a sentence, and why it may happen twice. */
export const ${value} = defineWorker({
  name: '${service}.${name}',
  schedule: { every: everyMs },
  leaseMs,
  run: async ({ logger }) => {
    logger.debug('what was done');
  },
});
`;

const testSource = (name, value) => `import { runContext } from '@sluice/background/test-support';
import { ${value} } from './${name}.worker';

test('a run ends, and its schedule says when the next one is due', async () => {
  expect(await ${value}.run(runContext())).toBeUndefined();
});
`;
