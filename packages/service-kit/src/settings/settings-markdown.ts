import type { SettingDeclaration, SettingsGroup } from './declaration';

/** The body of docs/settings.md: a table per group, in the order given. */
export function settingsMarkdown(groups: readonly SettingsGroup[]): string {
  return groups.map(({ title, settings }) => [
    `## ${title}`,
    '',
    '| Name | Type | Default | Meaning |',
    '|---|---|---|---|',
    ...Object.values(settings).map(row),
    '',
  ].join('\n')).join('\n');
}

function row(declaration: SettingDeclaration): string {
  const cells = [`\`${declaration.env}\``, typeWords(declaration), defaultWords(declaration), declaration.description];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function typeWords({ type, options, min, max, secret }: SettingDeclaration): string {
  const words: Partial<Record<string, string>> = {
    boolean: '`on` or `off`',
    seconds_list: 'seconds, separated by commas',
    list: 'list, separated by commas',
    addresses: '`host:port`, separated by commas',
    keys: 'secret',
  };
  const base = type === 'enum' ? (options ?? []).map((option) => `\`${option}\``).join(', ') : (words[type] ?? type);
  const bounds = [min === undefined ? '' : `>= ${min}`, max === undefined ? '' : `<= ${max}`].filter(Boolean).join(', ');
  return [base, bounds && `(${bounds})`, secret && type !== 'secret' ? '(secret)' : ''].filter(Boolean).join(' ');
}

function defaultWords({ default: text, defaultText, required }: SettingDeclaration): string {
  if (defaultText) return defaultText;
  if (text !== undefined) return `\`${text}\``;
  return required ? '(required)' : '(unset)';
}
