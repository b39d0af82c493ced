/** What a schema takes, in words: "a string", "'$LATEST'", "an object with url". */
export function shapeWords(schema: unknown): string {
  if (schema === null || typeof schema !== 'object') return 'a value';
  const { const: constant, enum: values, type, required } = schema as Record<string, unknown>;
  if (constant !== undefined) return quoted(constant);
  if (Array.isArray(values)) return orList(values.map(quoted));
  const names = typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : [];
  const words = orList(names.map((name) => typeWords[name] ?? name));
  if (words === '') return 'a value';
  return Array.isArray(required) && required.length > 0 ? `${words} with ${required.join(', ')}` : words;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string', integer: 'an integer', number: 'a number', boolean: 'a boolean',
  object: 'an object', array: 'a list', null: 'null',
};

export const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** `a`, `a or b`, `a, b or c`. */
export function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
