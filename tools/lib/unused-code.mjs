/**
 * Exports and settings that nothing uses. Those that are known, and why they are there, stand in tools/unused-code.json: an entry is
 * added on purpose, and goes when what it names is used.
 */
import { join } from 'node:path';
import { unreadSettings } from './unread-settings.mjs';
import { unusedExports } from './unused-exports.mjs';
import { readJson, root } from './workspace.mjs';

/** @returns {Promise<string>} a line for each problem, or an empty text */
export async function unusedCode() {
  const known = readJson(join(root, 'tools', 'unused-code.json'));
  return [
    ...problemsOf(unusedExports(), known.exports, 'the export'),
    ...problemsOf(unreadSettings(), known.settings, 'the setting'),
  ].map((problem) => `${problem}\n`).join('');
}

/**
 * @param {string[]} unused
 * @param {Record<string, string>} known the reason by name
 * @param {string} kind for the words
 */
export function problemsOf(unused, known, kind) {
  return [
    ...unused.filter((name) => !known[name]).map((name) => `${kind} ${name} is used by nothing: remove it, or say in tools/unused-code.json why it is there`),
    ...Object.keys(known).filter((name) => !unused.includes(name)).map((name) => `${kind} ${name} is used, or gone: remove it from tools/unused-code.json`),
  ];
}
