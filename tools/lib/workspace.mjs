/** Where things are: the repository root and the workspace's packages. Node only, no dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository root. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Folders whose children are packages, and packages of their own: the same list as pnpm-workspace.yaml. */
const parents = ['packages', 'packages/adapters', 'services'];
const singles = ['test-e2e', 'bench'];

/**
 * Every workspace package, ordered by folder.
 * @returns {{ name: string, dir: string, path: string }[]} `dir` is absolute, `path` relative to the root
 */
export function workspacePackages() {
  const dirs = parents.flatMap((parent) => childFolders(join(root, parent)));
  const all = [...dirs, ...singles.map((single) => join(root, single))];
  return all
    .filter((dir) => existsSync(join(dir, 'package.json')))
    .map((dir) => ({ name: readJson(join(dir, 'package.json')).name, dir, path: relative(root, dir) }));
}

/** Names of the folders under services/, each of which can be run by itself. */
export function serviceNames() {
  return childFolders(join(root, 'services')).map((dir) => relative(join(root, 'services'), dir));
}

/** Parses a JSON file. Throws with the path in the message. */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${relative(root, path)}: ${error.message}`);
  }
}

function childFolders(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map((entry) => join(dir, entry.name))
    .sort();
}
