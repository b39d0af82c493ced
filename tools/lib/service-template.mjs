/** The files of a new service, by path inside its folder. */
import { camel } from './scaffold.mjs';

/** @param {string} name kebab-case @returns {Map<string, string>} */
export function serviceTemplate(name) {
  const [value, settings] = [camel(name), `${camel(name)}Settings`];
  return new Map([
    ['package.json', `${JSON.stringify(manifest(name), null, 2)}\n`],
    ['src/index.ts', `export { ${value} } from './${name}';\nexport { ${settings} } from './settings';\n`],
    ['src/main.ts', mainSource(name, value)],
    ['src/settings.ts', settingsSource(name, settings)],
    ['src/compose.ts', composeSource(name)],
    [`src/${name}.ts`, serviceSource(name, value, settings)],
    [`src/${name}.test.ts`, testSource(name, value)],
  ]);
}

function manifest(name) {
  return {
    name: `@sluice/${name}`,
    version: '0.1.0',
    private: true,
    license: 'Apache-2.0',
    description: 'What it is responsible for, in a sentence.',
    type: 'commonjs',
    exports: { '.': { 'sluice-source': './src/index.ts', types: './src/index.ts', default: './dist/index.js' } },
    dependencies: { '@sluice/contracts': 'workspace:*', '@sluice/ports': 'workspace:*', '@sluice/service-kit': 'workspace:*' },
    devDependencies: { '@sluice/testkit': 'workspace:*' },
  };
}

function mainSource(name, value) {
  return `import { runService } from '@sluice/service-kit';
import { ${value} } from './${name}';

runService(${value});
`;
}

function serviceSource(name, value, settings) {
  return `import { defineService } from '@sluice/service-kit';
import packageJson from '../package.json';
import { compose, type Parts } from './compose';
import { ${settings} } from './settings';

/** What it is responsible for, in a sentence. */
export const ${value} = defineService({
  name: '${name}', version: packageJson.version,
  settings: ${settings},
  required: () => [],
  openParts: (): Parts => ({}),
  compose,
});
`;
}

function settingsSource(name, settings) {
  return `import { commonSettings, defineSettings, networkSettings } from '@sluice/service-kit';

/** What ${name} reads from the environment. */
export const ${settings} = defineSettings({ ...commonSettings, ...networkSettings });
`;
}

function composeSource(name) {
  return `import { createHttpApp, type ServiceApp, type ServiceContext } from '@sluice/service-kit';

/** What the service stands on, behind the ports; tests and standalone give their own. */
export type Parts = Record<never, never>;

/**
 * Composes ${name}: what must run goes to \`context.lifecycle\`, from the inside out, what can be not ready to
 * \`context.health\`.
 */
export function compose(_parts: Parts, { logger, metrics, health, shared }: ServiceContext<unknown>): Required<ServiceApp> {
  return { handle: createHttpApp({ routes: [], logger, metrics, ...(shared ? {} : { health }) }) };
}
`;
}

function testSource(name, value) {
  return `import { composeAlone } from '@sluice/service-kit';
import { ${value} } from './${name}';

test('is ready once started and gone once stopped', async () => {
  const service = composeAlone(${value}, { SLUICE_PORT: '0', SLUICE_LOG_LEVEL: 'error' });
  await service.lifecycle.start();
  const url = \`http://127.0.0.1:\${service.port()}/readyz\`;
  expect((await fetch(url)).status).toBe(200);
  expect(await service.lifecycle.stop('test')).toEqual({ clean: true });
  await expect(fetch(url)).rejects.toThrow();
});
`;
}
