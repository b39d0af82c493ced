import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckMode } from './action-definition';
import { allActionNames } from './action-names';
import { actionCatalogue } from './catalogue';
import { checkStep } from './check-step';
import type { FieldSchema } from './field-schema';
import { actions, allActions, runnableActions } from './registry';

const list = allActions().map((action) => ({ action, name: action.name }));

function schemasOf(schema: FieldSchema): FieldSchema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])];
  return [schema, ...inner.flatMap(schemasOf)];
}

/** Whether a field exists, also inside of an object or of the elements of a list (`list[]`). */
function hasField(schema: FieldSchema, [part, ...rest]: readonly string[]): boolean {
  if (part === undefined) return true;
  const inner = schema.properties?.[part.replace('[]', '')];
  const next = part.endsWith('[]') ? inner?.items : inner;
  return next !== undefined && hasField(next, rest);
}

describe('the registry', () => {
  it('holds exactly the action folders on disk', () => {
    const folders = readdirSync(__dirname, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'shared',
    );
    expect(folders.map(({ name }) => name.replace(/-/g, '_')).sort()).toEqual(Object.keys(actions).sort());
    for (const { name } of folders) expect(readdirSync(join(__dirname, name))).toContain(`${name}.action.ts`);
  });

  it('is the closed set', () => {
    expect(Object.keys(actions)).toEqual([...allActionNames]);
  });

  it('says of every action that runs what a repeat does', () => {
    for (const { on_repeat: words } of runnableActions()) expect(words.length).toBeGreaterThan(3);
  });

  it('keeps the five bulk actions to config version 3.1', () => {
    const bulk = allActions().filter((action) => action.min_version === '3.1').map(({ name }) => name);
    expect(bulk).toEqual(['associate_many', 'create_many', 'delete_many', 'update_many', 'upsert_many']);
  });
});

describe.each(list)('$name', ({ action }) => {
  it('has words for itself and every field', () => {
    expect(action.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    for (const words of [action.title, action.description]) expect(words.length).toBeGreaterThan(3);
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
    const named = [...action.required_checks, ...action.rules].flatMap(({ fields }) => fields);
    expect(named.filter((field) => !hasField(action.configSchema, field.split('.')))).toEqual([]);
    const comparing: CheckMode[] = ['equals', 'equals_if_given', 'not_equals', 'requires_unless'];
    expect(action.required_checks.filter(({ mode, equals }) => comparing.includes(mode) !== (equals !== null))).toEqual([]);
  });

  it('types exactly those fields as given that its required checks refuse a step without', () => {
    const refused = action.required_checks.flatMap(({ mode, fields }) => {
      if (mode === 'all') return fields;
      return mode === 'equals' ? fields.slice(0, 1) : [];
    });
    expect([...new Set(refused)].sort()).toEqual([...(action.configSchema.required ?? [])].sort());
  });

  it('has examples that pass its own checks', () => {
    expect(action.examples.length).toBeGreaterThan(1);
    for (const { config, given } of action.examples) {
      const step = { id: 'it', action: action.name, ...config };
      const earlier = Object.keys(given.outputs ?? {}).map((id) => ({ id, action: 'skip' }));
      const flow = { name: 'f', source: 's', event_type: 't', steps: [...earlier, step] };
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
