/** Runs a worker's TypeScript as it is, for tests that run from the sources: `workerData.entry` names the file. */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { workerData } from 'node:worker_threads';

const require = createRequire(import.meta.url);
const { transformSync } = require('@swc/core');
const options = { swcrc: false, configFile: false, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };

Module._extensions['.ts'] = (module, filename) => module._compile(transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code, filename);
require(workerData.entry);
