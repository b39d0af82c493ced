import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fullFolders, maxFiles } from './full-folders.mjs';

it('folders with too many files are found at any depth, without generated code', (context) => {
  const base = mkdtempSync(join(tmpdir(), 'sluice-folders-'));
  context.after(() => rmSync(base, { recursive: true }));
  const counts = { 'p/src': maxFiles, 'p/src/a/b': maxFiles + 1, 'p/src/generated': maxFiles + 5 };
  for (const [folder, count] of Object.entries(counts)) {
    mkdirSync(join(base, folder), { recursive: true });
    for (let index = 0; index < count; index += 1) writeFileSync(join(base, folder, `file-${index}.ts`), '');
  }
  deepEqual(fullFolders(['p/src', 'none/src'], base), [{ folder: 'p/src/a/b', files: maxFiles + 1 }]);
});
