import tseslint from 'typescript-eslint';
import { maxColumns } from './tools/lib/max-columns.mjs';
import { ownLinesPerFunction } from './tools/lib/own-lines.mjs';
import { wholeLinesPerFunction } from './tools/lib/whole-lines.mjs';
import { maxWholeLines } from './tools/lib/long-functions.mjs';
import { readJson } from './tools/lib/workspace.mjs';

/** Functions that are longer than others may be, with their lines. */
const longFunctions = readJson(new URL('./tools/long-functions.json', import.meta.url).pathname);
/** Folders whose results may depend on their inputs only: no clock, no chance. */
const pure = ['packages/flow-engine/src', 'packages/key-lanes/src', 'packages/config-model/src', 'packages/actions/src'];
const tests = ['**/*.test.ts', '**/testing/**', '**/test-support/**', 'test-e2e/**'];
const namedExportsOnly = [
  { selector: 'ExportDefaultDeclaration', message: 'Named exports only: a file is named after its main export.' },
  { selector: 'ExportSpecifier[exported.name="default"]', message: 'Named exports only.' },
];
/** What a step's fields are follows from the schema of its action: nobody writes or asserts it again. */
const derivedFields = [
  {
    selector: 'TSAsExpression[expression.type="TSAsExpression"]',
    message: 'No assertion over unknown: types of fields are derived from the schema.',
  },
  {
    selector:
      'TSPropertySignature[key.name="config"] > TSTypeAnnotation > TSTypeLiteral, TSInterfaceDeclaration[id.name=/Config$/]',
    message: 'Types of fields are derived from the schema (ResolvedFields, AuthoredFields).',
  },
];
/** Calls to URLs of users are checked by the client that makes them; nothing beside it may call. */
const callsElsewhere = 'Outbound calls go through @sluice/rest-client, which keeps private addresses from being called.';
const outbound = {
  'no-restricted-globals': ['error', { name: 'fetch', message: callsElsewhere }],
  'no-restricted-imports': ['error', {
    paths: [
      { name: 'node:http', importNames: ['request', 'get'], message: callsElsewhere },
      ...['node:https', 'node:http2', 'undici'].map((name) => ({ name, message: callsElsewhere })),
    ],
  }],
};
/** They call addresses of the installation itself, or none that a user can name. */
const callers = [
  'packages/api-client/src/**', 'services/standalone/src/demo/crm-holdings.ts', 'services/standalone/src/two-way/crm-side.ts',
  'packages/rest-client/src/**', 'packages/adapters/crm-http/src/**', 'packages/crm-simulator/src/**',
  'packages/testkit/src/**',
  // The model of the assistant, whose address the operator chose.
  'packages/ports/src/model-kit/watched-fetch.ts',
  // Plugins: they run in the sandbox, whose fetch is the service's.
  'packages/plugin-kit/examples/**', 'packages/plugin-kit/template/**',
];
const chance = [
  { object: 'Date', property: 'now', message: 'Pure code takes the time as an argument.' },
  { object: 'Math', property: 'random', message: 'Pure code takes random values as arguments.' },
  { object: 'performance', property: 'now', message: 'Pure code takes the time as an argument.' },
];

// Rules that ask for types are oxlint's (.oxlintrc.json, ADR 0097).
export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '.cache/**', '.data/**', 'coverage/**', '**/prisma.config.ts'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    plugins: { sluice: { rules: { 'max-columns': maxColumns, 'own-lines-per-function': ownLinesPerFunction, 'whole-lines-per-function': wholeLinesPerFunction } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-depth': ['error', 4],
      'max-lines': ['error', { max: 300 }],
      'no-console': 'error',
      'no-empty': 'error',
      'no-restricted-syntax': ['error', ...namedExportsOnly],
      'no-var': 'error',
      'prefer-const': 'error',
      'sluice/max-columns': ['error', 130],
      'sluice/own-lines-per-function': ['error', 50],
      'sluice/whole-lines-per-function': ['error', maxWholeLines, longFunctions],
    },
  },
  {
    files: pure.map((folder) => `${folder}/**/*.ts`),
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-properties': ['error', ...chance] },
  },
  { files: ['packages/actions/src/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...namedExportsOnly, ...derivedFields] } },
  { files: ['services/**/*.ts', 'packages/**/*.ts'], ignores: [...tests, ...callers], rules: outbound },
  {
    files: tests,
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      'sluice/own-lines-per-function': 'off',
      'sluice/whole-lines-per-function': 'off',
    },
  },
  // What is printed for people: the demo's table, the benchmark's, the command line's.
  { files: ['bench/src/**', 'services/standalone/src/**', 'packages/crm-simulator/src/main.ts', 'packages/plugin-kit/{template,examples}/**/*.ts'], rules: { 'no-console': 'off' } },
  // jest takes default exports from its hooks, nothing else here does.
  { files: ['packages/testkit/src/jest/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['tools/**/*.mjs', 'packages/**/*.mjs'],
    rules: { 'max-lines': ['error', { max: 300 }], 'no-undef': 'off', 'no-unused-vars': 'error', 'prefer-const': 'error', eqeqeq: 'error' },
  },
);
