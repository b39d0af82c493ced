/**
 * jest's runtime, with one difference: what a file's text compiles to is kept for the worker's next test file. jest compiles every
 * module, libraries too, again for each test file; here that was a fifth of the CPU time of the suites that start a service.
 * Nothing else is shared: each test file still runs every module in a context of its own.
 */
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file name: the text it had, and the script made of it; none when the text belongs to one test file. */
const scripts = new Map();

class SharedScriptsRuntime extends Runtime {
  constructor(...given) {
    super(...given);
    const { executor, _environment: environment } = this;
    if (typeof executor?.compile !== 'function' || !Array.isArray(executor.injectedModuleParameters))
      throw new Error('This jest-runtime compiles modules elsewhere: tools/jest/shared-scripts-runtime.cjs has to follow it.');
    const compileForThisFile = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = environment.getVmContext();
      const script = context ? scriptOf(source, filename, head) : undefined;
      return script ? script.runInContext(context) : compileForThisFile(source, filename);
    };
  }
}

/**
 * `import()` is answered by the test file's own loader, so code that has it belongs to one test file. In lines that are comments
 * it names a type; many libraries have it there alone.
 */
const canBeShared = (source) => !source.startsWith('#!') && !/^(?![ \t]*(?:\/?\*|\/\/)).*\bimport\s*\(/m.test(source);

/** @returns {Script | undefined} undefined for what cannot be shared, or does not compile: jest then says where and why */
function scriptOf(source, filename, head) {
  const known = scripts.get(filename);
  if (known?.source === source && known.head === head) return known.script;
  try {
    const script = !canBeShared(source) ? undefined : new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
    scripts.set(filename, { source, head, script });
    return script;
  } catch {
    return undefined; // jest compiles it again, and its error shows the place.
  }
}

module.exports = SharedScriptsRuntime;
module.exports.canBeShared = canBeShared;
