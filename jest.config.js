/**
 * Suites are chosen by suffix: `x.test.ts` does no I/O, `x.integration.test.ts` talks to real
 * servers, `x.e2e.test.ts` drives whole services. Sources are compiled by swc, never type-checked here.
 */
const { join } = require('node:path');

// A zone of its own, with half an hour and a summer time: what reads a time without a zone in that of the machine, and not as UTC, fails.
process.env.TZ = 'America/St_Johns';

const swc = ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' }, sourceMaps: 'inline' }];
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['sluice-source', 'node', 'require', 'default'] },
  transform: { '^.+\\.ts$': swc },
  runtime: join(__dirname, 'tools', 'jest', 'shared-scripts-runtime.cjs'),
  // Below .cache lie downloads, and copies of this tree with packages of the same names.
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.cache/'],
  haste: { forceNodeFilesystemAPI: true },
};
const servers = { globalSetup: '<rootDir>/packages/testkit/src/jest/global-setup.ts', globalTeardown: '<rootDir>/packages/testkit/src/jest/global-teardown.ts' };
module.exports = {
  projects: [
    { ...common, displayName: 'unit', testMatch: ['<rootDir>/{packages,services}/**/src/**/*.test.ts'], testPathIgnorePatterns: ['\\.(integration|e2e)\\.test\\.ts$', '/node_modules/'] },
    { ...common, ...servers, displayName: 'integration', testMatch: ['<rootDir>/{packages,services}/**/src/**/*.integration.test.ts'] },
    { ...common, ...servers, displayName: 'e2e', testMatch: ['<rootDir>/test-e2e/src/**/*.e2e.test.ts'] },
  ],
  // Many times what a test or a set-up takes on an idle machine: two cores that run all tests are slow.
  testTimeout: 120_000,
};
