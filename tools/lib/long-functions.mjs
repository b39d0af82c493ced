/** The functions that are longer than others may be (tools/lib/whole-lines.mjs), with their lines. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { wholeLinesPerFunction } from './whole-lines.mjs';
import { readJson, root } from './workspace.mjs';

export const maxWholeLines = 100;

/** @returns {Record<string, number>} the known ones that still are too long, with their lines if these became fewer */
export function prunedLongFunctions(base = root, known = readJson(join(base, 'tools', 'long-functions.json'))) {
  return Object.fromEntries(Object.entries(known).flatMap(([entry, lines]) => {
    const now = linesNow(base, entry);
    return now === undefined ? [] : [[entry, Math.min(lines, now)]];
  }));
}

/** The lines of a function `<path>#<name>`; undefined: it is short enough, or there is none. */
function linesNow(base, entry) {
  const [path, name] = entry.split('#');
  const file = join(base, path);
  if (!existsSync(file)) return undefined;
  const messages = new Linter().verify(readFileSync(file, 'utf8'), config, { filename: path });
  const counts = messages.flatMap(({ message }) => {
    const [, found, lines] = /^(\w+) has (\d+) lines/.exec(message) ?? [];
    return found === name ? [Number(lines)] : [];
  });
  return counts[0];
}

const config = {
  files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, linterOptions: { reportUnusedDisableDirectives: 'off' },
  plugins: { sluice: { rules: { whole: wholeLinesPerFunction } } }, rules: { 'sluice/whole': ['error', maxWholeLines] },
};
