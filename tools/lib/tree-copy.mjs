/**
 * Copies of the working tree below .cache, in which something is tried (mutants, scaffolds): the tree itself is never changed. A copy
 * has its own sources and the tree's dependencies, and goes when the command ends; what a killed command left is removed by the next
 * one.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { root, workspacePackages } from './workspace.mjs';

const left = new Set(['node_modules', '.git', '.cache', '.data', 'coverage']);
/** Downloads of the test kit, shared with the tree. */
const downloads = ['kafka', 'redis'];

/**
 * Makes a copy.
 * @param {string} purpose the folder below .cache
 * @param {number} number tells the copies of one command apart
 * @returns {string} its root
 */
export function makeCopy(purpose, number) {
  const copy = join(root, '.cache', purpose, `${process.pid}-${number}`);
  mkdirSync(copy, { recursive: true });
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: (path) => !left.has(basename(path)) };
  for (const name of readdirSync(root)) cpSync(join(root, name), join(copy, name), options);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // The links to packages of the workspace are relative: copied as they are, they lead to the copy's own sources.
  for (const { dir, path } of workspacePackages()) copyLinks(join(dir, 'node_modules'), join(copy, path, 'node_modules'));
  mkdirSync(join(copy, '.cache'));
  for (const name of downloads) {
    mkdirSync(join(root, '.cache', name), { recursive: true });
    symlinkSync(join(root, '.cache', name), join(copy, '.cache', name));
  }
  return copy;
}

function copyLinks(from, to) {
  if (!existsSync(from)) return;
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !/^\.[^.]/.test(relative(from, path)) });
}

/** Removes the copies of this command, and of commands that no longer run. */
export function removeCopies(purpose) {
  const home = join(root, '.cache', purpose);
  if (!existsSync(home)) return;
  for (const name of readdirSync(home)) {
    const owner = Number(name.split('-')[0]);
    if (owner === process.pid || !isAlive(owner)) rmSync(join(home, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
