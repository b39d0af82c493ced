/** Stamps: a step is skipped while the hash of what it read is the hash it left behind. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './workspace.mjs';

/** Hash over the contents of files (missing ones count as missing) and extra words. */
export function hashOf(files, extra = []) {
  const hash = createHash('sha256').update(JSON.stringify(extra));
  for (const file of files) hash.update(`\0${file}\0`).update(existsSync(file) ? readFileSync(file) : 'missing');
  return hash.digest('hex');
}

/** Whether the named stamp holds this hash. Stamps live in node_modules, so removing that removes them. */
export function isStamped(name, hash) {
  const path = stampPath(name);
  return existsSync(path) && readFileSync(path, 'utf8') === hash;
}

/** Leaves the hash behind for the next run. */
export function writeStamp(name, hash) {
  mkdirSync(dirname(stampPath(name)), { recursive: true });
  writeFileSync(stampPath(name), hash);
}

function stampPath(name) {
  return join(root, 'node_modules', `.sluice-${name}`);
}
