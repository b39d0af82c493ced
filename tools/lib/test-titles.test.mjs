import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readTestTitles } from './test-titles.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sluice-titles-'));
after(() => rmSync(folder, { recursive: true }));

function titlesOf(text) {
  const path = join(folder, 'it.test.ts');
  writeFileSync(path, text);
  return readTestTitles(path);
}

test('a test and a group are named by the beginning of their title', () => {
  const has = titlesOf("describe('things', () => { it('costs 5 % of $total, always', () => {}); });");
  assert.deepEqual(['things', 'costs 5 %', 'costs 5 % of $total, always', 'always', 'costs 6'].map(has), [true, true, true, false, false]);
});

test('only titles count, not other text of the file', () => {
  assert.equal(titlesOf("// it('in a comment')\nconst text = 'in a constant'; it('a title', () => {});")('in a c'), false);
});

test('a case of a table is named by the values of its row, also those of a constant', () => {
  const has = titlesOf(`
    const statuses = ['active', 'paused'] as const;
    it.each(statuses)('%s is a status', () => {});
    it.each([[404, 'permanent', other()], [503, 'transient', other()]])('%i is %s', () => {});
    it.each<Row>([{ title: 'no name', expected: 1 }])('refuses $title, and says so', () => {});`);
  assert.deepEqual(['paused is a status', '404 is permanent', 'refuses no name, and says so'].map(has), [true, true, true]);
  assert.deepEqual(['broken is a status', '%s is a status', '405 is permanent', 'refuses $title', 'refuses a name'].map(has), [
    false, false, false, false, false,
  ]);
  assert.ok(has('refuses'));
});

test('values are written as the format of the title writes them', () => {
  const has = titlesOf("it.each([[{ found: 'a', n: [1, true, null] }, 'x' as const]])('%j is %j', () => {});");
  assert.deepEqual(['{"found":"a","n":[1,true,null]} is "x"', '{"found":"a","n":[1,true,null]} is x'].map(has), [true, false]);
});

test('a table whose rows are computed is named by the words before its first value', () => {
  const has = titlesOf("it.each(rows.map(({ id }) => id))('every row is whole: %s', () => {});");
  assert.deepEqual(['every row is whole', 'every row is whole: a', 'every row is whole: %s'].map(has), [true, false, false]);
});
