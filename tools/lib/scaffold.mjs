/** What the scaffolders share: names, and writing files without ever replacing one. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StepError } from './steps.mjs';

/** `update_by_id` or `update-by-id` -> `update-by-id`. */
export const kebab = (name) => name.replaceAll('_', '-');
/** `update-by-id` -> `update_by_id`. */
export const snake = (name) => name.replaceAll('-', '_');
/** `update-by-id` -> `updateById`. */
export const camel = (name) => kebab(name).replace(/-(\w)/g, (_dash, letter) => letter.toUpperCase());

/**
 * Writes new files under `root`. Nothing is written when one of them exists.
 * @param {string} root
 * @param {Map<string, string>} files content by path relative to `root`
 */
export function writeNew(root, files) {
  for (const path of files.keys()) if (existsSync(join(root, path))) throw new StepError(`${path} exists already.`);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Says what was made, after it was made: a name that is taken is refused before. */
export function announce(files) {
  process.stdout.write('Made:\n');
  for (const path of files) process.stdout.write(`  ${path}\n`);
}
