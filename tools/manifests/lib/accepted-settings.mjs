/** Whether a service would start with the settings a manifest gives it: asked of the declarations that parse them at its start. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { camel } from '../../lib/scaffold.mjs';
import { root } from '../../lib/workspace.mjs';

const load = createRequire(import.meta.url);

/**
 * @param {string} service its name
 * @param {Record<string, unknown>} env what the manifest sets; values may be numbers or booleans, as YAML reads them
 * @returns {string[]} what the service would refuse, empty when it would start
 */
export function refusedSettings(service, env) {
  const { parseSettings, SettingsError } = load(join(root, 'packages', 'service-kit', 'dist', 'index.js'));
  const { settings, required } = load(join(root, 'services', service, 'dist', 'index.js'))[camel(service)];
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  try {
    parseSettings(settings, given, required(given));
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return [...error.problems];
    throw error;
  }
}

/**
 * @param {string} service its name
 * @returns {Set<string>} the variables that it reads
 */
export function settingsReadBy(service) {
  const groups = Object.values(load(join(root, 'services', service, 'dist', 'settings.js'))).filter((value) => typeof value === 'object');
  return new Set(groups.flatMap((group) => Object.values(group)).map(({ env }) => env).filter(Boolean));
}
