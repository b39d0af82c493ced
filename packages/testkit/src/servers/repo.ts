import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of the repository root. */
export function repoRoot(): string {
  let dir = __dirname;
  while (!existsSync(join(dir, 'pnpm-workspace.yaml'))) {
    if (dirname(dir) === dir) throw new Error('The test kit runs only inside the repository.');
    dir = dirname(dir);
  }
  return dir;
}

/**
 * A folder of downloaded or prepared files under .cache, filled once per machine. Filled beside and renamed
 * into place, so that neither a crash nor two runs at the same time leave half of it.
 * @returns the folder's absolute path
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(repoRoot(), '.cache', name);
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true });
  const draft = mkdtempSync(`${target}-draft-`);
  try {
    await fill(draft);
    if (!existsSync(target)) renameOrYield(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return target;
}

/** The same without waiting, for what is decided while tests are declared. */
export function fillFolder(target: string, fill: (folder: string) => void): void {
  mkdirSync(dirname(target), { recursive: true });
  const draft = mkdtempSync(`${target}-draft-`);
  try {
    fill(draft);
    renameOrYield(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function renameOrYield(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another run was faster: its files are the same.
    if (!existsSync(target)) throw error;
  }
}
