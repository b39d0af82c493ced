import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './lib/child.mjs';
import { root } from './lib/workspace.mjs';

const mistakes = {
  'no-floating-promises': 'export function start(work: () => Promise<void>): void { work(); }',
  'no-misused-promises': 'export const wrong = (found: Promise<boolean>): number => (found ? 1 : 2);',
  'only-throw-error': "export function fail(): never { throw 'words'; }",
  'switch-exhaustiveness-check':
    "export function name(kind: 'a' | 'b'): string { switch (kind) { case 'a': return 'A'; } return ''; }",
};

test('each rule that asks for types finds its mistake, and nothing else is found', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-typed-lint-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  // oxlint looks for its other half where it is run.
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  const compilerOptions = { target: 'ES2022', lib: ['ES2023'], module: 'preserve', strict: true, types: [] };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  for (const [rule, source] of Object.entries(mistakes)) writeFileSync(join(dir, `${rule}.ts`), `${source}\n`);
  writeFileSync(join(dir, 'right.ts'), 'export async function start(work: () => Promise<void>): Promise<void> { await work(); }\n');
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const args = [oxlint, '--type-aware', '-c', join(root, '.oxlintrc.json'), '--format', 'json', ...Object.keys(mistakes).map((rule) => `${rule}.ts`), 'right.ts'];
  const { code, output } = await run(process.execPath, args, { cwd: dir });
  assert.equal(code, 1, output);
  const found = JSON.parse(output).diagnostics.map(({ code: rule, filename }) => `${rule} ${filename}`);
  assert.deepEqual(found.sort(), Object.keys(mistakes).map((rule) => `typescript(${rule}) ${rule}.ts`).sort());
});
