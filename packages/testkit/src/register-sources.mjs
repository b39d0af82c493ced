/** Lets `require` load TypeScript as it is. What the build has made of the same state of a file is not compiled again. */
import { readFileSync, statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const options = { swcrc: false, configFile: false, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };

Module._extensions['.ts'] = (module, filename) => module._compile(built(filename) ?? compiled(filename), filename);

/** Runs a TypeScript file. */
export const runSource = (filename) => require(filename);

function compiled(filename) {
  return require('@swc/core').transformSync(readFileSync(filename, 'utf8'), { ...options, filename }).code;
}

/** The build gives an output the time of its source. */
function built(filename) {
  const output = filename.replace(/\/src\/((?:(?!\/src\/).)*)\.ts$/, '/dist/$1.js');
  const times = [filename, output].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  return output !== filename && Math.abs(times[0] - times[1]) < 2 ? readFileSync(output, 'utf8') : undefined;
}
