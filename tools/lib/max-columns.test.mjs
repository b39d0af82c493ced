import { RuleTester } from 'eslint';
import { describe, it } from 'node:test';
import { maxColumns } from './max-columns.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const long = 'x'.repeat(30);
const tooLong = [{ messageId: 'tooLong' }];

new RuleTester().run('max-columns', maxColumns, {
  valid: [
    { name: 'a line as long as allowed', code: `a = ${'b'.repeat(6)}`, options: [10] },
    { name: 'a text that goes further', code: `a = '${long}';`, options: [10] },
    { name: 'a template that goes further', code: `a = \`${long}\`;`, options: [10] },
    { name: 'what a template embeds', code: `a = \`b \${${long}}\``, options: [10] },
    { name: 'a pattern that goes further', code: `a = /${long}/;`, options: [10] },
  ],
  invalid: [
    { name: 'a line one column longer', code: `a = ${'b'.repeat(7)}`, options: [10], errors: tooLong },
    { name: 'a comment', code: `// ${long}`, options: [10], errors: tooLong },
    { name: 'code behind a text', code: `a = 'b' + ${long}`, options: [10], errors: tooLong },
  ],
});
