import type { SettingDeclarations } from './declaration';
import { parseValue } from './parse-value';

const envName = /^[A-Z][A-Z0-9_]*$/;

/**
 * Declares settings, keeping literal types. Throws on a declaration that cannot work (a bug): a bad name, an `enum`
 * without options, a default that its own rules refuse.
 */
export function defineSettings<const D extends SettingDeclarations>(declarations: D): D {
  for (const [key, declaration] of Object.entries(declarations)) {
    const where = `setting ${key}`;
    if (!envName.test(declaration.env))
      throw new Error(`${where}: "${declaration.env}" is not a name of an environment variable`);
    if (declaration.type === 'enum' && !declaration.options?.length) throw new Error(`${where}: an enum needs options`);
    if (declaration.default === undefined) continue;
    const parsed = parseValue(declaration, declaration.default);
    if (!parsed.ok) throw new Error(`${where}: its default ${parsed.problem}`);
  }
  return declarations;
}
