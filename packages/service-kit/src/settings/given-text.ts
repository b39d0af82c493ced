import type { SettingDeclaration } from './declaration';
import type { Environment } from './environment';

/** The text of a setting, undefined while unset. */
export function givenText({ env: name }: SettingDeclaration, env: Environment): string | undefined {
  const text = env[name]?.trim();
  return text === '' ? undefined : text;
}
