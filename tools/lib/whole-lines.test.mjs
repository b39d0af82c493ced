import { RuleTester } from 'eslint';
import { describe, it } from 'node:test';
import { wholeLinesPerFunction } from './whole-lines.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const factory = 'function make() {\n  // words\n\n  return {\n    run: () => {\n      a();\n    },\n  };\n}';

new RuleTester().run('whole-lines-per-function', wholeLinesPerFunction, {
  valid: [
    { code: factory, options: [7] },
    { name: 'a known one as long as it was', code: factory, filename: '/r/p/make.ts', options: [3, { 'p/make.ts#make': 7 }] },
  ],
  invalid: [
    { name: 'nested functions count', code: factory, options: [6], errors: [{ messageId: 'tooLong', data: { name: 'make', count: 7, max: 6 } }] },
    { name: 'a known one that has grown', code: factory, filename: '/r/p/make.ts', options: [3, { 'p/make.ts#make': 6 }], errors: 1 },
    { name: 'one of the same name in another file', code: factory, filename: '/r/p/other.ts', options: [6, { 'p/make.ts#make': 9 }], errors: 1 },
  ],
});
