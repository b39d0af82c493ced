import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { maxWholeLines, prunedLongFunctions } from './long-functions.mjs';

const lines = (count) => Array.from({ length: count }, () => '  work();').join('\n');

it('the list of long functions keeps what is too long, with the fewest lines it had', (context) => {
  const base = mkdtempSync(join(tmpdir(), 'sluice-long-'));
  context.after(() => rmSync(base, { recursive: true }));
  writeFileSync(join(base, 'a.ts'), `function long() {\n${lines(maxWholeLines)}\n}\nfunction short() {\n${lines(2)}\n}\n`);
  const known = { 'a.ts#long': 300, 'a.ts#short': 150, 'a.ts#gone': 150, 'b.ts#moved': 150 };
  deepEqual(prunedLongFunctions(base, known), { 'a.ts#long': maxWholeLines + 2 });
  deepEqual(prunedLongFunctions(base, { 'a.ts#long': 101 }), { 'a.ts#long': 101 });
});
