import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../lib/child.mjs';
import { root } from '../lib/workspace.mjs';
import { canBeShared } from './shared-scripts-runtime.cjs';

const files = {
  'counter.js': 'let calls = 0;\nexports.next = () => (calls += 1);\nexports.fail = () => {\n  throw new Error("here");\n};\n',
  'one.test.js': "const { next } = require('./counter');\ntest('starts anew', () => expect(next()).toBe(1));\n",
  'two.test.js': "const { next } = require('./counter');\ntest('starts anew', () => expect([next(), next()]).toEqual([1, 2]));\n",
  'place.test.js':
    "const { fail } = require('./counter');\ntest('says where', () => expect(placeOf(fail)).toBe('counter.js:4:9'));\n" +
    'function placeOf(work) {\n  try {\n    work();\n  } catch (error) {\n    return /counter.js:\\d+:\\d+/.exec(error.stack)?.[0];\n  }\n}\n',
  'first-line.test.js':
    "test('says where', () => expect(new Error('here').stack).toMatch(/first-line.test.js:1:33/));\n",
  'broken.js': 'exports.a = 1;\nexports.b = ;\n',
  'broken.test.js': "test('says what does not compile', () => expect(() => require('./broken')).toThrow(/Unexpected token/));\n",
};

test('test files in one worker share no state, and errors say where they are from', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-jest-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const config = { rootDir: dir, transform: {}, runtime: join(root, 'tools', 'jest', 'shared-scripts-runtime.cjs') };
  writeFileSync(join(dir, 'jest.config.json'), JSON.stringify(config));
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const { code, output } = await run(process.execPath, [jest, '--config', join(dir, 'jest.config.json'), '--runInBand'], { cwd: dir });
  assert.equal(code, 0, output);
  assert.match(output, /Tests: +5 passed/);
});

test('code that imports while it runs belongs to one test file, a comment that names a type does not', () => {
  const comments = ["/** @type {import('a').A} */", "  * @param {import('a').A} a", "\t// import('a') is made elsewhere"];
  for (const comment of comments) assert.equal(canBeShared(`one();\n${comment}\ntwo();`), true, comment);
  const imports = ["import('a');", "const a = await import ('a');", "two(); /* three */ import('a');"];
  for (const code of imports) assert.equal(canBeShared(`one();\n${code}\n// two`), false, code);
  assert.equal(canBeShared('#!/usr/bin/env node\none();'), false);
});
