/** The files of a new service, by path inside its folder, and its entry in the list of services. */
import { camel } from './scaffold.mjs';

const upper = (text) => text[0].toUpperCase() + text.slice(1);

/** @param {string} name kebab-case @returns {Map<string, string>} */
export function serviceTemplate(name) {
  const value = camel(name);
  const names = { name, value, type: upper(value), settings: `${value}Settings`, compose: `compose${upper(value)}` };
  return new Map([
    ['package.json', `${JSON.stringify(manifest(name), null, 2)}\n`],
    ['README.md', readme(name)],
    ['src/index.ts', `export { ${value} } from './${name}';\n`],
    ['src/main.ts', mainSource(names)],
    ['src/settings.ts', settingsSource(names)],
    ['src/compose.ts', composeSource(names)],
    [`src/${name}.ts`, serviceSource(names)],
    [`src/${name}.test.ts`, testSource(names)],
  ]);
}

/** What it needs where it is deployed: the least, to begin with. */
export const serviceEntry = (name) => `{
  name: '${name}',
  summary: 'What it is responsible for, in a sentence.',
  publicPaths: [],
  secrets: [],
  callsOut: false,
  sharesBlobs: false,
  rollout: 'one-more',
  scaling: { by: 'hand', replicas: 2 },
  resources: { cpu: 100, memory: 256, maxMemory: 512 },
  composeReplicas: 1,
}`;

function manifest(name) {
  const ours = (names) => Object.fromEntries(names.map((each) => [`@sluice/${each}`, 'workspace:*']));
  return {
    name: `@sluice/${name}`,
    version: '0.1.0',
    private: true,
    license: 'Apache-2.0',
    description: 'What it is responsible for, in a sentence.',
    type: 'commonjs',
    exports: { '.': { 'sluice-source': './src/index.ts', types: './src/index.ts', default: './dist/index.js' } },
    dependencies: ours(['background', 'contracts', 'ports', 'service-kit', 'service-parts']),
    devDependencies: ours(['kv-memory']),
  };
}

const readme = (name) => `# ${name}

**Why.** What it is responsible for, and what would be missing without it.
`;

const mainSource = ({ name, value }) => `import { runService } from '@sluice/service-kit';
import { ${value} } from './${name}';

runService(${value});
`;

const serviceSource = ({ name, value, type, settings, compose }) => `import { externalStores, openStoreParts, productService } from '@sluice/service-parts';
import packageJson from '../package.json';
import { ${compose}, type ${type}Parts } from './compose';
import { ${settings} } from './settings';

/** What it is responsible for, in a sentence. */
export const ${value} = productService({
  name: '${name}', version: packageJson.version,
  settings: ${settings},
  required: () => externalStores,
  callsCrm: false,
  openParts: ({ settings, logger, metrics, lifecycle }): ${type}Parts =>
    openStoreParts(settings, { service: '${name}', logger, metrics }, lifecycle),
  compose: ${compose},
});
`;

const settingsSource = ({ name, settings }) => `import { networkSettings } from '@sluice/service-kit';
import { storeSettings } from '@sluice/service-parts';

/** What ${name} reads of the environment. */
export const ${settings} = {
  ...storeSettings,
  port: networkSettings.port,
  host: networkSettings.host,
  metricsPort: networkSettings.metricsPort,
} as const;
`;

const composeSource = ({ name, type, settings, compose }) => `import { addBackground, type Worker } from '@sluice/background';
import type { ServiceApp, SettingValues } from '@sluice/service-kit';
import type { ProductContext, StoreParts } from '@sluice/service-parts';
import type { ${settings} } from './settings';

/** What ${name} stands on, behind the ports. */
export type ${type}Parts = Pick<StoreParts, 'bus' | 'kv' | 'tasks'>;

/**
 * Puts ${name} together on given parts.
 * What must run goes to the lifecycle, from the inside out; what can be not ready goes to the health.
 */
export function ${compose}(
  { bus, tasks }: ${type}Parts, context: ProductContext<SettingValues<typeof ${settings}>>,
): ServiceApp {
  const { logger, metrics, health, lifecycle, shared } = context;
  health.add('event bus', () => ({ ok: bus.healthy() }));
  const workers: Worker[] = [];
  const { installation } = shared ?? {};
  addBackground({ service: '${name}', workers, tasks, logger, metrics, installation }, lifecycle);
  return {};
}
`;

const testSource = ({ name, value, settings, compose }) => `import { createMemoryKeyValue } from '@sluice/kv-memory';
import { createMemoryBus, createMemoryTaskStore } from '@sluice/ports/testing';
import { composeAlone, parseSettings } from '@sluice/service-kit';
import { testContext } from '@sluice/service-parts/test-support';
import { ${compose} } from './compose';
import { ${value} } from './${name}';
import { ${settings} } from './settings';

test('is ready on parts that work', async () => {
  const context = testContext('${name}', parseSettings(${settings}, {}));
  const parts = { bus: createMemoryBus(), kv: createMemoryKeyValue(), tasks: createMemoryTaskStore() };
  ${compose}(parts, context);
  expect(await context.health.ready()).toEqual({ status: 'ok', checks: { 'event bus': { ok: true } } });
});

test('a service of its own names every part it lacks before it starts', () => {
  for (const setting of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL'])
    expect(() => composeAlone(${value}, {})).toThrow(setting);
});
`;
