import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Linter, RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { wholeLinesPerFunction } from './whole-lines.mjs';
import { readJson, root } from './workspace.mjs';

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

describe('tools/long-functions.json', () => {
  it('names only functions that are still that long', () => {
    const known = readJson(join(root, 'tools', 'long-functions.json'));
    const linter = new Linter();
    const config = {
      files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, plugins: { sluice: { rules: { whole: wholeLinesPerFunction } } },
      linterOptions: { reportUnusedDisableDirectives: 'off' }, rules: { 'sluice/whole': ['error', 100] },
    };
    const isLong = (entry) => {
      const [path, name] = entry.split('#');
      const found = linter.verify(readFileSync(join(root, path), 'utf8'), config, { filename: path });
      return found.some(({ message }) => message.startsWith(`${name} has ${known[entry]} lines`));
    };
    deepEqual(Object.keys(known).filter((entry) => !isLong(entry)), []);
  });
});
