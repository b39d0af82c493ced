import type { SettingDeclaration, SettingDeclarations, SettingValues } from './declaration';
import type { Environment } from './environment';
import { givenText } from './given-text';
import { parseValue } from './parse-value';
import { SettingsError } from './settings-error';
import { weakSecrets, type WeakSecretsRule } from './weak-secrets';

export interface ParseOptions {
  /** Default: example values and easily guessed secrets are refused. */
  weakSecrets?: WeakSecretsRule;
}

/**
 * Reads the declared settings. A variable that is empty or blank counts as unset (compose files pass such ones);
 * blanks around a value do not belong to it.
 * @param required keys that this caller cannot do without, though their declarations allow it
 * @throws SettingsError that names every problem
 */
export function parseSettings<D extends SettingDeclarations>(
  declarations: D, env: Environment, required: readonly (keyof D & string)[] = [], options: ParseOptions = {},
): SettingValues<D> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, declaration] of Object.entries(declarations)) {
    const text = givenText(declaration, env) ?? declaration.default;
    if (text === undefined) {
      if (declaration.required || required.includes(key))
        problems.push(`${declaration.env} is required: ${declaration.description}`);
      values[key] = null;
      continue;
    }
    const parsed = parseValue(declaration, text);
    if (parsed.ok) values[key] = parsed.value;
    else problems.push(`${declaration.env} ${parsed.problem}`);
    problems.push(...missingNeeds(declarations, declaration, env));
  }
  problems.push(...weakSecrets(declarations, env, options.weakSecrets).refused);
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingValues<D>;
}

/** What a setting that is given cannot do without. */
function missingNeeds(declarations: SettingDeclarations, declaration: SettingDeclaration, env: Environment): string[] {
  const text = givenText(declaration, env);
  if (text === undefined) return [];
  const missing = [...(declaration.needs ?? []), ...(declaration.needsFor?.[text] ?? [])].filter((name) =>
    Object.values(declarations).every((other) => other.env !== name || givenText(other, env) === undefined),
  );
  return missing.map((name) => `${declaration.env} needs ${name} beside it`);
}
