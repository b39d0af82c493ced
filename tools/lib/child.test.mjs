import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { become } from './child.mjs';

const endsWithItsNiceness = ['-e', "process.exit(require('node:os').getPriority())"];

test('a child ends as it ends; one that yields leaves the processors to others', async () => {
  const [usual, yields] = [{}, { yields: true }].map((options) => become(process.execPath, endsWithItsNiceness, options));
  assert.equal(await usual, getPriority());
  assert.equal(await yields, Math.min(19, getPriority() + 5));
});
