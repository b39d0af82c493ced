/** Rule of each pattern that the schema of the document has, in words that follow the name of the field. A test compares them. */
export const patternWords: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  '^[A-Za-z0-9_-]+$': 'must hold only letters, digits, underscores and hyphens',
  '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$': 'must hold only letters, digits, dots, underscores and hyphens, and not be . or ..',
  '^[A-Za-z_][A-Za-z0-9_-]*$':
    'must start with a letter or underscore and hold only letters, digits, underscores and hyphens',
};
