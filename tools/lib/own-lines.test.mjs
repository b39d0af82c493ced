import { RuleTester } from 'eslint';
import { describe, it } from 'node:test';
import { ownLinesPerFunction } from './own-lines.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const factory = 'function make() {\n  return {\n    run() {\n      a();\n      b();\n      c();\n    },\n  };\n}';

new RuleTester().run('own-lines-per-function', ownLinesPerFunction, {
  valid: [
    { code: 'function f() {\n  // words\n\n  a();\n}', options: [3] },
    { name: 'nested functions count for themselves', code: factory, options: [6] },
  ],
  invalid: [
    { code: 'function f() {\n  a();\n  b();\n}', options: [3], errors: [{ messageId: 'tooLong', data: { count: 4, max: 3 } }] },
    { name: 'a nested function that is too long', code: factory, options: [4], errors: 2 },
  ],
});
