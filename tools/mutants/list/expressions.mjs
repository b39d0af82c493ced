/** Mutants of references, conditions, mappings and transforms. */
const engine = 'packages/flow-engine/src';
const actions = 'packages/actions/src';
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  {
    name: 'canonical: a target is cut at its dots',
    file: `${engine}/expressions/canonical-path.ts`,
    find: 'return path as string[];',
    replace: "return target.split('.').slice(2);",
    notice: unit('flow-engine/src/flows/compiled-entity'),
  },
  {
    name: 'canonical: any target with a dollar passes',
    file: `${engine}/expressions/canonical-path.ts`,
    find: "if (root === 'canonical' && path.length > 0 && !path.includes(null))",
    replace: 'if (root !== null)',
    notice: unit('config-model/src/checks/check-entities'),
  },
  {
    name: 'canonical: a target name from a value is used as a path',
    file: `${engine}/mapping/projection.ts`,
    find: 'if (path === null) setOwn(properties, name, value);',
    replace:
      "if (name.startsWith('$.')) setPath(properties, name.split('.').slice(2), value);\n" +
      '  else if (path === null) define(properties, name, value);',
    notice: unit('flow-engine/src/flows/compiled-entity'),
  },
  {
    name: 'transforms: products keep binary artefacts',
    file: 'packages/flow-engine/src/transforms/number-transforms.ts',
    find: 'decimal(number * (args.by as number))',
    replace: 'number * (args.by as number)',
    notice: unit('flow-engine/src/transforms/transform-catalogue'),
  },
  {
    name: 'transforms: whole numbers lose their last digit',
    file: 'packages/flow-engine/src/transforms/number-transforms.ts',
    find: 'Number.isSafeInteger(number) || ', replace: '',
    notice: unit('flow-engine/src/transforms/transform-catalogue'),
  },
  {
    name: 'dates: UTC is never Z',
    file: `${engine}/transforms/date-format.ts`,
    find: "return isUtc && zulu.test(text) ? quoted('Z') : tokens[text]!;",
    replace: 'return tokens[text]!;',
    notice: unit('flow-engine/src/transforms/date-format'),
  },
  {
    name: 'dates: a letter that is not a token is text',
    file: `${engine}/transforms/date-format.ts`,
    find: '  const hint = hints[token[0]!];',
    replace: "  if (token !== '') return { kind: 'text', text: token };\n  const hint = hints[token[0]!];",
    notice: unit('flow-engine/src/transforms/date-format'),
  },
  {
    name: 'dates: fractions are milliseconds',
    file: `${engine}/transforms/date-format.ts`,
    find: 'if (/^S+$/.test(text)) return fraction(text.length);',
    replace: "if (/^S+$/.test(text)) return 'SSS';",
    notice: unit('flow-engine/src/transforms/date-format'),
  },
  {
    name: 'fields: the address of a file is percent-encoded whole',
    file: `${actions}/compile-fields.ts`,
    find: ' && !isWhole',
    replace: '',
    notice: unit('actions/src/shared/files-and-forms'),
  },
  {
    name: 'fields: only the first value of a list is used',
    file: `${actions}/compile-fields.ts`,
    find: "(resolution === 'values' && typeof value === 'string')",
    replace: 'false',
    notice: unit('actions/src/query/query.test'),
  },
  {
    name: 'fields: an id must be a reference',
    file: `${actions}/update-by-id/update-by-id.action.ts`,
    find: "minLength: 1, 'x-resolve': 'template', description: 'CRM id",
    replace: "'x-resolve': 'reference', description: 'CRM id",
    notice: unit('actions/src/update-by-id'),
  },
  {
    name: 'fields: an upsert writes what its allowlist leaves out',
    file: `${engine}/mapping/projection.ts`,
    find: 'mapping.target === identity || fields.has(mapping.target)',
    replace: 'mapping.target === identity || fields !== undefined',
    notice: unit('actions/src/step-rules'),
  },
  {
    name: 'references: scripts pass',
    file: `${engine}/expressions/json-path.ts`,
    find: "if (expression.type === 'script_expression' || expression.type === 'filter_expression') {",
    replace: "if (expression.type === '') {",
    notice: unit('actions/src/authored-fields'),
  },
  {
    name: 'references: values in a url are not encoded',
    file: `${engine}/expressions/template.ts`,
    find: 'return options.url ? percentEncode(plain) : plain;',
    replace: 'return plain;',
    notice: unit('actions/src/authored-fields'),
  },
  {
    name: 'references: nothing of a value keeps its type',
    file: `${engine}/expressions/template.ts`,
    find: '(ctx) => reference.first(ctx) ?? null;',
    replace: '(ctx) => textOf(reference.first(ctx));',
    notice: unit('actions/src/authored-fields'),
  },
  {
    name: 'conditions: a number is compared with an instant',
    file: `${engine}/expressions/when.ts`,
    find: ' || isInstant(a) !== isInstant(b)',
    replace: '',
    notice: unit('flow-engine/src/expressions/when'),
  },
  {
    name: 'conditions: null exists',
    file: `${engine}/expressions/when.ts`,
    find: 'path.all(ctx).some((found) => found !== null)',
    replace: 'path.all(ctx).length > 0',
    notice: unit('flow-engine/src/expressions/when'),
  },
  {
    name: 'conditions: types do not matter',
    file: `${engine}/expressions/when.ts`,
    find: 'deepEqual(path.first(ctx) ?? null, args.value)',
    replace: 'deepEqual(String(path.first(ctx)), String(args.value))',
    notice: unit('flow-engine/src/expressions/when'),
  },
  {
    name: 'transforms: nothing is filled',
    file: `${engine}/transforms/compile-transforms.ts`,
    find: 'if ((value === null || value === undefined) && !link.definition.fills) continue;',
    replace: 'if (value === null || value === undefined) continue;',
    notice: unit('flow-engine/src/transforms/transform-catalogue'),
  },
  {
    name: 'journal: an id stands anywhere',
    file: `${engine}/flows/crm-object-id.ts`,
    find: 'if (own) return idText(own.first(rebase(ctx)));',
    replace: 'const given = own ? idText(own.first(rebase(ctx))) : null;\n    if (given !== null) return given;',
    notice: unit('flow-engine/src/flows/crm-object-id'),
  },
];
