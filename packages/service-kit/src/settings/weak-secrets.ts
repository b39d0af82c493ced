import type { SettingDeclarations } from './declaration';
import { givenText } from './given-text';
import type { Environment } from './environment';
import { parseValue } from './parse-value';
import { weakness } from './weak-secret';

/** `refused`: a service does not start with weak ones. `taken`: `npm start`, which only warns. */
export type WeakSecretsRule = 'refused' | 'taken';

/** Secrets that guard little. The texts begin with the variable's name and hold no value. */
export interface WeakSecrets {
  refused: string[];
  warned: string[];
}

/**
 * Sorts the secrets that are given. An example is refused also on loopback, where it is most often a forgotten one. One that is
 * merely easy to guess is refused in production (`NODE_ENV=production`, as the images set it), unless only this machine can try
 * it (`SLUICE_HOST`); elsewhere it is warned of.
 */
export function weakSecrets(declarations: SettingDeclarations, env: Environment, rule: WeakSecretsRule = 'refused'): WeakSecrets {
  const sorted: WeakSecrets = { refused: [], warned: [] };
  const lenient = isLenient(env);
  for (const declaration of Object.values(declarations)) {
    const text = givenText(declaration, env);
    if (text === undefined || !parseValue(declaration, text).ok) continue;
    const found = weakness(declaration, text);
    if (!found) continue;
    const warned = rule === 'taken' || (lenient && found.grade === 'guessable');
    sorted[warned ? 'warned' : 'refused'].push(`${declaration.env} ${found.text}`);
  }
  return sorted;
}

const loopbackHosts = /^(?:loopback|localhost|127(?:\.\d+){3}|::1)$/;
const isLenient = (env: Environment): boolean =>
  env['NODE_ENV'] !== 'production' || loopbackHosts.test(env['SLUICE_HOST']?.trim() ?? '');
