/**
 * The lists of mutants: `tools/mutants/list/*.mjs`, each with a default export of entries. A mutant is one small change
 * that breaks the product, and the tests that must notice it.
 *
 * @typedef {{ project: 'unit' | 'integration' | 'e2e' | 'manifests' | 'simulation', pattern?: string }} Notice
 *   `pattern`: regular expression over the paths of test files; the simulation takes none
 * @typedef {{ name: string, file: string, find: string, replace: string, notice: Notice }} Mutant
 *   `file`: path from the repository root; `find` occurs in it exactly once
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/workspace.mjs';
import { filesThatNotice, projects } from './suites.mjs';

const folder = join(root, 'tools', 'mutants', 'list');

/**
 * Loads every list, or only one.
 * @param {string} [only] path of a list, from the working directory or the folder of lists; without its ending too
 * @returns {Promise<(Mutant & { list: string })[]>} in the order of the files and of the entries
 */
export async function loadMutants(only) {
  const lists = only === undefined ? allLists() : [onePath(only)];
  const loaded = await Promise.all(lists.map(async (path) => (await import(pathToFileURL(path).href)).default.map((mutant) => ({ ...mutant, list: relative(root, path) }))));
  return loaded.flat();
}

/** The paths of all lists. */
export function allLists() {
  return readdirSync(folder).filter((name) => name.endsWith('.mjs')).sort().map((name) => join(folder, name));
}

function onePath(given) {
  const candidates = [join(process.cwd(), given), join(folder, given), join(folder, `${given}.mjs`), given];
  return candidates.find((path) => path.endsWith('.mjs') && existsSync(path)) ?? given;
}

/**
 * What makes an entry useless as it is written: a missing field, a text that is not in its file exactly once, or a
 * pattern that selects no test.
 * @param {Mutant} mutant
 * @param {string} [base] root of the tree it is checked against
 * @returns {string | undefined}
 */
export function staleReason(mutant, base = root) {
  for (const field of ['name', 'file', 'find']) if (typeof mutant[field] !== 'string' || mutant[field] === '') return `has no ${field}`;
  if (typeof mutant.replace !== 'string' || mutant.replace === mutant.find) return 'changes nothing';
  if (!existsSync(join(base, mutant.file))) return `${mutant.file} does not exist`;
  const count = readFileSync(join(base, mutant.file), 'utf8').split(mutant.find).length - 1;
  if (count !== 1) return `its text occurs ${count} times in ${mutant.file}`;
  if (!projects.includes(mutant.notice?.project)) return `its project is none of ${projects.join(', ')}`;
  if (filesThatNotice(mutant.notice, base).length === 0) return `${mutant.notice.pattern} selects no test`;
  return undefined;
}

/** Names that more than one entry has. @param {Mutant[]} mutants @returns {string[]} */
export function repeatedNames(mutants) {
  const names = mutants.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
