/** The files of a new service, by path inside its folder. */
import { camel } from './scaffold.mjs';

/** @param {string} name kebab-case @returns {Map<string, string>} */
export function serviceTemplate(name) {
  const settings = `${camel(name)}Settings`;
  return new Map([
    ['package.json', `${JSON.stringify(manifest(name), null, 2)}\n`],
    ['src/index.ts', `export { compose, type Composed } from './compose';\nexport { ${settings} } from './settings';\n`],
    ['src/main.ts', mainSource(name, settings)],
    ['src/settings.ts', settingsSource(name, settings)],
    ['src/compose.ts', composeSource(name, settings)],
    ['src/compose.test.ts', testSource(settings)],
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

function mainSource(name, settings) {
  return `import { createLogger, parseSettings, runMain, runUntilSignal } from '@sluice/service-kit';
import { compose } from './compose';
import { ${settings} } from './settings';

runMain(async () => {
  const settings = parseSettings(${settings}, process.env);
  const logger = createLogger({ service: '${name}', level: settings.logLevel });
  await runUntilSignal(compose(settings, { logger }).lifecycle, logger);
});
`;
}

function settingsSource(name, settings) {
  return `import { commonSettings, defineSettings, networkSettings } from '@sluice/service-kit';

/** What ${name} reads from the environment. */
export const ${settings} = defineSettings({ ...commonSettings, ...networkSettings });
`;
}

function composeSource(name, settings) {
  return `import type { Logger } from '@sluice/ports';
import { createHealth, createHttpApp, createHttpServer, createLifecycle, createMetrics, type Lifecycle, type SettingValues } from '@sluice/service-kit';
import type { ${settings} } from './settings';

/** What the service is made with; tests and standalone give their own. */
export interface Parts {
  logger: Logger;
}

/** The service, not started yet. */
export interface Composed {
  lifecycle: Lifecycle;
  /** The port it listens on. Throws before the start. */
  port(): number;
}

/** Composition root: the only file of this service that may import adapters and choose between them. */
export function compose(settings: SettingValues<typeof ${settings}>, { logger }: Parts): Composed {
  const lifecycle = createLifecycle({ name: '${name}', logger });
  const health = createHealth();
  const metrics = createMetrics({ service: '${name}' });
  const http = createHttpServer({ app: createHttpApp({ routes: [], logger, metrics, health }), port: settings.port, host: settings.host, logger, metrics });
  // From the inside out: stores and producers come before, so that the stop goes from the outside in.
  lifecycle.add('http', http.start, http.stop);
  lifecycle.add('readiness', () => undefined, health.drain);
  return { lifecycle, port: http.port };
}
`;
}

function testSource(settings) {
  return `import { createLogger, parseSettings } from '@sluice/service-kit';
import { PassThrough } from 'node:stream';
import { compose } from './compose';
import { ${settings} } from './settings';

describe('compose', () => {
  it('is ready once started and gone once stopped', async () => {
    const logger = createLogger({ service: 'test', stream: new PassThrough().resume() });
    const service = compose(parseSettings(${settings}, { SLUICE_PORT: '0' }), { logger });
    await service.lifecycle.start();
    const url = \`http://127.0.0.1:\${service.port()}/readyz\`;
    expect((await fetch(url)).status).toBe(200);
    expect(await service.lifecycle.stop('test')).toEqual({ clean: true });
    await expect(fetch(url)).rejects.toThrow();
  });
});
`;
}
