/**
 * Exports and settings that nothing uses. Those that are known, and why they are there, stand in tools/unused-code.json: an entry is
 * added on purpose, and `npm run gen` removes it when what it names is used.
 */
import { join } from 'node:path';
import { unreadSettings } from './unread-settings.mjs';
import { unusedExports } from './unused-exports.mjs';
import { readJson, root } from './workspace.mjs';

/** @typedef {{ exports: string[], settings: string[] }} Unused by name */

/** @returns {Promise<string>} a line for each that is not known, or an empty text */
export async function unusedCode() {
  const known = readJson(join(root, 'tools', 'unused-code.json'));
  const { exports, settings } = unusedNow();
  return [...unknown(exports, known.exports, 'the export'), ...unknown(settings, known.settings, 'the setting')].map((problem) => `${problem}\n`).join('');
}

/** @returns {Unused} */
export const unusedNow = () => ({ exports: unusedExports(), settings: unreadSettings() });

/**
 * @param {string[]} unused
 * @param {Record<string, string>} known the reason by name
 * @param {string} kind for the words
 */
export const unknown = (unused, known, kind) =>
  unused.filter((name) => !known[name]).map((name) => `${kind} ${name} is used by nothing: remove it, or say in tools/unused-code.json why it is there`);

/** The known ones that still are unused, in order. @param {{ exports: object, settings: object }} known @param {Unused} unused */
export function pruned(known, unused) {
  const kept = (entries, names) => Object.fromEntries(Object.entries(entries).filter(([name]) => names.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { exports: kept(known.exports, unused.exports), settings: kept(known.settings, unused.settings) };
}
