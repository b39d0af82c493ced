/** Finds folders of source code with more files than a reader takes in at once. A folder within a folder does not count as a file. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root, workspacePackages } from './workspace.mjs';

export const maxFiles = 25;

/** @returns {Promise<string>} a line for each folder that has too many files */
export async function fullFolderProblems() {
  return fullFolders(workspacePackages().map(({ path }) => join(path, 'src')))
    .map(({ folder, files }) => `${folder} has ${files} files: divide it by subject into folders of ${maxFiles} files at most\n`).join('');
}

/**
 * The folders with too many files, in order. Generated code does not count.
 * @param {readonly string[]} sources folders, relative to `base`
 * @returns {{ folder: string, files: number }[]}
 */
export function fullFolders(sources, base = root) {
  const found = sources.flatMap((source) => foldersIn(base, source)).filter(({ files }) => files > maxFiles);
  return found.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** The folder and all within it, with the number of their own files. */
function foldersIn(base, folder) {
  const path = join(base, folder);
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'generated');
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length;
  return [{ folder: relative(base, path).split(sep).join('/'), files }, ...folders.flatMap(({ name }) => foldersIn(base, join(folder, name)))];
}
