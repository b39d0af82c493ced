import { readFile } from 'node:fs/promises';
import { build, formatMessages, type BuildFailure } from 'esbuild';
import { KitError } from './kit-error';
import type { PluginFolder } from './plugin-folder';

/** What is pushed. */
export interface BundledPlugin {
  /** One CommonJS file with a `handler` export. */
  bundle: string;
  /** The module that the bundle was made of. */
  source: string;
}

/**
 * Bundles a plugin with the packages that it imports into one file. There are no modules of Node in it: what needs them is
 * refused. Throws KitError with the places.
 */
export async function bundlePlugin({ path, entry }: PluginFolder): Promise<BundledPlugin> {
  try {
    const { outputFiles } = await build({
      entryPoints: [entry], absWorkingDir: path, bundle: true, write: false, format: 'cjs', platform: 'neutral', target: 'es2022',
      mainFields: ['module', 'main'], charset: 'utf8', legalComments: 'none', logLevel: 'silent',
    });
    return { bundle: outputFiles[0]!.text, source: await readFile(entry, 'utf8') };
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    const told = await formatMessages(errors, { kind: 'error', color: false, terminalWidth: 120 });
    throw new KitError(`${entry} cannot be bundled:\n${told.join('').trimEnd()}`);
  }
}
