/**
 * What each pattern of a schema asks of a text, in words that follow "must" or "should": nobody who sends a request should have
 * to read a regular expression. Tests compare them with the schemas of the routes and of the config document.
 */
export const patternWords: Readonly<Record<string, string>> = {
  '\\S': 'not be blank',
  '^[A-Za-z0-9_-]+$': 'hold only letters, digits, underscores and hyphens',
  '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$': 'hold only letters, digits, dots, underscores and hyphens, and not be . or ..',
  '^[A-Za-z_][A-Za-z0-9_-]*$': 'start with a letter or underscore and hold only letters, digits, underscores and hyphens',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$': 'be a UUID in lower case',
  '^\\s*\\S(?:[\\s\\S]{0,126}\\S)?\\s*$': 'have 1 to 128 characters, spaces at the ends not counted',
  '^[a-z0-9-]+$': 'hold only small letters, digits and hyphens',
  '^[A-Z]{2}$': 'be two capital letters',
  '^[\\x20-\\x7e]*$': 'hold only printable ASCII characters',
  '^https?://': 'start with http:// or https://',
  '^[^\\u0000\\uD800-\\uDFFF]*$': 'hold neither a NUL character nor half of a surrogate pair',
};

/** What a text that does not match has to do. A pattern without words is a defect that a test finds. */
export const wordsOfPattern = (pattern: string): string => patternWords[pattern] ?? 'hold only characters that are allowed here';
