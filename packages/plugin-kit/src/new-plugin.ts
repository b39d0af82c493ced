import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from './kit-error';

const template = join(__dirname, '..', 'template');

/**
 * Writes the folder of a new plugin: a typed handler, a recorded event, and the types of payload and response. Throws KitError
 * where the folder exists.
 */
export async function newPlugin(folder: string, name: string): Promise<void> {
  if (!/^[a-z0-9][a-z0-9_-]{0,127}$/i.test(name))
    throw new KitError(`'${name}' cannot name a plugin and its folder: letters, digits, '-' and '_' can.`);
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new KitError(error.code === 'EEXIST' ? `${folder} exists already.` : `${folder} cannot be made: ${error.message}.`);
  });
  await cp(template, folder, { recursive: true });
  const file = join(folder, 'plugin.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('plugin-name', name));
}
