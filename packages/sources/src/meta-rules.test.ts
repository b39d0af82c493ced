import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sourceTypes } from '@sluice/contracts';
import Ajv2020 from 'ajv/dist/2020';
import { sourceCatalogue } from './catalogue';
import { checkSource } from './check-source';
import type { SourceFieldSchema } from './field-schema';
import { configSchemaOf } from './json-schema';
import { allSources, sources } from './registry';

const schemasOf = (schema: SourceFieldSchema): SourceFieldSchema[] => [
  schema,
  ...[...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].flatMap(schemasOf),
];

test('the registry holds exactly the folders on disk and the types of the contract', () => {
  const entries = readdirSync(__dirname, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'shared');
  expect(folders.map(({ name }) => name.replace(/-/g, '_')).sort()).toEqual(Object.keys(sources).sort());
  for (const { name } of folders) expect(readdirSync(join(__dirname, name))).toContain(`${name}.source.ts`);
  expect(Object.keys(sources)).toEqual([...sourceTypes]);
});

test('a poll reads at most 1000 pages unless its config says otherwise', () => {
  const { pagination } = sources.poller.configSchema.properties;
  expect(pagination?.properties?.max_pages?.default).toBe(1_000);
  expect(sources.poller.limits.find(({ id }) => id === 'max_pages')?.text).toContain('1000 by default');
});

describe.each(allSources().map((source) => ({ type: source.type, source })))('$type', ({ type, source }) => {
  it('has words for itself, its limits and every field, inner ones too', () => {
    for (const words of [source.title, source.description, ...source.limits.map(({ text }) => text)])
      expect(words.length).toBeGreaterThan(3);
    for (const field of Object.values(source.configSchema.properties)) {
      expect(field.description.length).toBeGreaterThan(5);
      for (const inner of schemasOf(field).flatMap((schema) => Object.values(schema.properties ?? {})))
        expect(inner.description).toBeTruthy();
    }
  });

  it('closes the objects inside its fields that list their properties', () => {
    const open = schemasOf(source.configSchema).filter((schema) => schema.properties && schema.additionalProperties !== false);
    expect(open).toEqual([]);
  });

  it('has defaults that its own schema takes', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const field of schemasOf(source.configSchema).flatMap((schema) => Object.values(schema.properties ?? {}))) {
      if (field.default === undefined) continue;
      const { 'x-holds': _holds, items: _items, properties: _properties, ...schema } = field;
      expect(ajv.validate(schema, field.default)).toBe(true);
    }
  });

  it('has examples that its schema and its checks take', () => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configSchemaOf(source));
    expect(source.examples.length).toBeGreaterThan(0);
    for (const { config } of source.examples) {
      expect([validate(config), validate.errors]).toEqual([true, null]);
      expect([...checkSource({ name: 'it', type, config })]).toEqual([]);
    }
  });

  it('is catalogued with every key present', () => {
    const entry = sourceCatalogue().find((candidate) => candidate.type === type)!;
    expect(Object.keys(entry).sort()).toEqual([
      'default_event_type', 'description', 'direction', 'examples', 'fields', 'limits', 'push', 'served', 'title', 'type',
    ]);
    for (const field of entry.fields)
      expect(Object.keys(field).sort()).toEqual(['default', 'description', 'enum_values', 'name', 'required', 'type']);
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
  });
});
