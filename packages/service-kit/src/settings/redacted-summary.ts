import type { SettingDeclaration, SettingDeclarations } from './declaration';
import { givenText } from './given-text';
import type { Environment } from './environment';

/**
 * What is set, for the log line at the start: variables that differ from their defaults, by name. A secret shows as
 * `(set)`, a URL without its user, password and query.
 */
export function redactedSummary(declarations: SettingDeclarations, env: Environment): Record<string, string> {
  const summary: Record<string, string> = {};
  for (const declaration of Object.values(declarations)) {
    const text = givenText(declaration, env);
    if (text === undefined || text === declaration.default) continue;
    summary[declaration.env] = redactedText(declaration, text);
  }
  return summary;
}

/** The texts that must never appear in a log: values of secret settings, and passwords inside URLs. */
export function secretValues(declarations: SettingDeclarations, env: Environment): string[] {
  return Object.values(declarations).flatMap((declaration) => {
    const text = givenText(declaration, env);
    if (text === undefined) return [];
    if (isSecret(declaration)) return [text];
    const password = declaration.type === 'url' && URL.canParse(text) ? new URL(text).password : '';
    return password === '' ? [] : [password, decodeURIComponent(password)];
  });
}

/**
 * Unknown variables with our prefix: a mistyped name would otherwise be ignored silently. To be logged as a warning.
 * @param known declarations of every setting there is, of whichever service
 */
export function unknownSettings(known: readonly SettingDeclarations[], env: Environment): string[] {
  const names = new Set(known.flatMap((declarations) => Object.values(declarations).map(({ env: name }) => name)));
  return Object.keys(env).filter((name) => name.startsWith('SLUICE_') && !names.has(name)).sort();
}

const isSecret = ({ type, secret }: SettingDeclaration): boolean => type === 'secret' || type === 'keys' || secret === true;

function redactedText(declaration: SettingDeclaration, text: string): string {
  if (isSecret(declaration)) return '(set)';
  if (declaration.type !== 'url') return text;
  if (!URL.canParse(text)) return '(not a URL)';
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
