import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type PluginCapabilities, readCapabilities } from '@sluice/contracts';
import { KitError } from './kit-error';

/** A plugin as it lies in a folder: `plugin.json`, `src/handler.ts` and `events/*.json`. */
export interface PluginFolder {
  path: string;
  name: string;
  capabilities: PluginCapabilities;
  /** Absolute path of the module with the `handler`. */
  entry: string;
}

/** Reads `plugin.json` of a folder. Throws KitError. */
export async function readPluginFolder(path: string): Promise<PluginFolder> {
  const file = join(path, 'plugin.json');
  const given = await readJson(file);
  if (given === null || typeof given !== 'object') throw new KitError(`${file} is no JSON object.`);
  const { name, capabilities = {} } = given as { name?: unknown; capabilities?: unknown };
  if (typeof name !== 'string' || name.trim() === '') throw new KitError(`${file} needs "name": the name of the plugin.`);
  const read = readCapabilities(capabilities);
  if (!read.ok) {
    const problems = read.problems.map(({ path: place, msg }) => `  ${['capabilities', ...place].join('.')}: ${msg}`);
    throw new KitError([`${file} grants what is no capability:`, ...problems].join('\n'));
  }
  const entry = join(path, 'src', 'handler.ts');
  if (!(await isFile(entry))) throw new KitError(`There is no ${entry}.`);
  return { path, name: name.trim(), capabilities: read.capabilities, entry };
}

/** The JSON of a file. Throws KitError naming it. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KitError(error.code === 'ENOENT' ? `There is no ${file}.` : `${file} cannot be read: ${error.message}.`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KitError(`${file} is no JSON: ${(error as Error).message}`);
  }
}

const isFile = (path: string): Promise<boolean> => stat(path).then((found) => found.isFile(), () => false);
