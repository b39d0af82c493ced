/** Ways to break the types of sources that a test must notice. */
export default [
  {
    name: 'sources: a schedule that never comes is taken',
    file: 'packages/sources/src/check-held-value.ts',
    find: "CronExpressionParser.parse(text, { tz: 'UTC' }).next();",
    replace: 'void text;',
    notice: { project: 'unit', pattern: 'sources/src/check-source' },
  },
  {
    name: 'sources: a password in a URL is taken',
    file: 'packages/sources/src/secrets.ts',
    find: "url.username !== '' || url.password !== '' ||",
    replace: '',
    notice: { project: 'unit', pattern: 'sources/src/check-source' },
  },
  {
    name: 'sources: what lies inside of a field is not checked',
    file: 'packages/sources/src/held-values.ts',
    find: 'if (!schema.properties || ',
    replace: 'if (path.length > 0 || !schema.properties || ',
    notice: { project: 'unit', pattern: 'sources/src/check-source' },
  },
  {
    name: 'sources: a secret under another name is an unknown field, and repeated',
    file: 'packages/config-model/src/check-sources.ts',
    find: 'path.length >= 3 &&',
    replace: 'path.length === 3 &&',
    notice: { project: 'unit', pattern: 'config-model/src/check-config' },
  },
];
