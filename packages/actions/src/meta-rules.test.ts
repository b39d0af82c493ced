import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allActionNames } from './action-names';
import { actionCatalogue } from './catalogue';
import { checkStep } from './check-step';
import type { FieldSchema } from './field-schema';
import { actions, runnableActions } from './registry';

const list = runnableActions().map((action) => ({ action, name: action.name }));

function schemasOf(schema: FieldSchema): FieldSchema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [schema, ...inner.flatMap(schemasOf)];
}

describe('the registry', () => {
  it('holds exactly the action folders on disk', () => {
    const folders = readdirSync(__dirname, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'shared',
    );
    expect(folders.map(({ name }) => name.replace(/-/g, '_')).sort()).toEqual(Object.keys(actions).sort());
    for (const { name } of folders) expect(readdirSync(join(__dirname, name))).toContain(`${name}.action.ts`);
  });

  it('knows the closed set of 25', () => {
    expect(new Set(allActionNames).size).toBe(25);
    expect(Object.keys(actions).filter((name) => !(allActionNames as readonly string[]).includes(name))).toEqual([]);
  });
});

describe.each(list)('$name', ({ action }) => {
  it('has words for itself and every field', () => {
    expect(action.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const words of [action.title, action.description, action.on_repeat]) expect(words.length).toBeGreaterThan(3);
    for (const field of Object.values(action.configSchema.properties)) {
      expect(field.description.length).toBeGreaterThan(5);
      for (const property of schemasOf(field).flatMap((schema) => Object.values(schema.properties ?? {})))
        expect(property.description).toBeTruthy();
    }
  });

  it('closes the objects inside its fields that list their properties', () => {
    const open = Object.values(action.configSchema.properties)
      .flatMap(schemasOf)
      .filter((schema) => schema.properties && schema.additionalProperties !== false);
    expect(open).toEqual([]);
  });

  it('has required checks over fields of its own', () => {
    const fields = Object.keys(action.configSchema.properties);
    expect(action.required_checks.flatMap((check) => check.fields).filter((field) => !fields.includes(field))).toEqual([]);
    expect(action.required_checks.filter((check) => (check.mode === 'equals') !== (check.equals !== null))).toEqual([]);
  });

  it('has examples that pass its own checks', () => {
    expect(action.examples.length).toBeGreaterThan(0);
    for (const { config, given } of action.examples) {
      const step = { id: 'it', action: action.name, ...config };
      const flow = { name: 'f', source: 's', event_type: 't', steps: [step] };
      expect(checkStep({ step, flow, config: { version: '3.1', entities: given.entities, flows: [flow], sources: [] } })).toEqual(
        [],
      );
    }
  });

  it('is catalogued with every key present', () => {
    const entry = actionCatalogue().find((candidate) => candidate.name === action.name)!;
    expect(Object.keys(entry).sort()).toEqual([
      'category',
      'description',
      'examples',
      'fields',
      'limits',
      'min_version',
      'name',
      'required_checks',
    ]);
    for (const field of entry.fields)
      expect(Object.keys(field).sort()).toEqual(['default', 'description', 'enum_values', 'name', 'required', 'type']);
    expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
  });
});
