/** Reads YAML files of the repository; a duplicate key or any other defect is an error that names the file. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../../lib/workspace.mjs';

/** Every document of a file, merge keys (`<<`) resolved. @returns {any[]} */
export function readYaml(path) {
  return parseYaml(readFileSync(path, 'utf8'), relative(root, path));
}

/** @param {string} name what errors call the text */
export function parseYaml(text, name) {
  return parseAllDocuments(text, { merge: true, uniqueKeys: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw new Error(`${name}: ${error.message}`);
    return document.toJS();
  });
}
