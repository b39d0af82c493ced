import { eventContext } from '@sluice/flow-engine';
import { checkFields, compileFields } from './compile-fields';
import type { FieldSchema } from './field-schema';
import { allActions, describedAction } from './registry';

const payload = { n: 7, tags: ['x', 'y'], name: 'Ada', items: [{ id: 1 }, { id: 2 }] };
const script = '$.payload.items[?(@.id>1)]';
const ctx = eventContext({ payload, event_type: 't', connector_id: 'c' });

/** What a step of the action has in its fields when the event is the one above. */
const resolved = (action: string, fields: object) =>
  compileFields(describedAction(action)!.configSchema, { id: 'it', action, ...fields }).resolve(ctx);

/** A step that has `leaf` where the schema has a resolution, for each such place. */
function stepsWith(properties: Readonly<Record<string, FieldSchema>>, leaf: (schema: FieldSchema) => unknown): object[] {
  return Object.entries(properties).flatMap(([name, schema]): object[] => {
    if (schema['x-resolve'] !== undefined) return [{ [name]: leaf(schema) }];
    const inner = schema.properties ?? schema.items?.properties;
    const below = inner ? stepsWith(inner, leaf) : [];
    return below.map((value) => ({ [name]: schema.properties ? value : [value] }));
  });
}

describe('the authored fields of a step', () => {
  it.each<[string, object]>([
    ['post', { body: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } }],
    ['notify', { data: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } }],
    ['plugin', { plugin: { config: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } } }],
    ['update_by_id', { data: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } }],
    ['find', { match: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } }],
    ['post', { headers: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } }],
    ['delete', { headers: { a: '$.payload.n', b: ['$.payload.tags'], c: '{$.payload.n}!' } }],
  ])('keep the type of what is exactly a reference: %s, %j', (action, fields) => {
    const [name, value] = Object.entries(fields)[0]!;
    const expected = { a: 7, b: [['x', 'y']], c: '7!' };
    expect(resolved(action, fields)[name]).toEqual('config' in (value as object) ? { config: expected } : expected);
  });

  it.each([
    ['notify', 'message'],
    ['upload_file', 'filename'],
    ['upload_file', 'note'],
    ['upload_file', 'folder_path'],
    ['export_file', 'filename'],
    ['delete_attachments', 'filename'],
    ['skip', 'reason'],
    ['update_by_id', 'object_id'],
    ['submit_form', 'form_id'],
  ])('%s: %s may hold references', (action, field) => {
    expect(resolved(action, { [field]: '$.payload.n' })).toEqual({ [field]: 7 });
    expect(resolved(action, { [field]: 'no {$.payload.n}: {$.payload.name}' })).toEqual({ [field]: 'no 7: Ada' });
    expect(resolved(action, { [field]: 'as it is' })).toEqual({ [field]: 'as it is' });
  });

  it('values of a form and of conditions may, too', () => {
    const fields = [
      { name: 'a', value: '$.payload.tags' },
      { name: 'b', value: 'x{$.payload.n}' },
    ];
    expect(resolved('submit_form', { fields }).fields).toEqual([
      { name: 'a', value: ['x', 'y'] },
      { name: 'b', value: 'x7' },
    ]);
    const filters = [
      { property: 'p', operator: 'BETWEEN', value: '$.payload.n', high_value: '{$.payload.n}0' },
      { property: 'p', operator: 'IN', values: ['$.payload.n', 'a'] },
      { property: 'p', operator: 'IN', values: '$.payload.items[*].id' },
    ];
    const expected = [{ value: 7, high_value: '70' }, { values: [7, 'a'] }, { values: [1, 2] }];
    expect(resolved('query', { filters }).filters).toMatchObject(expected);
  });

  it.each(['post', 'notify', 'delete'])('%s: values in a url are percent-encoded', (action) => {
    const spaced = eventContext({ payload: { id: 'a/b c' }, event_type: 't', connector_id: 'c' });
    const { resolve } = compileFields(describedAction(action)!.configSchema, { url: '/x/{$.payload.id}/{external_id}' });
    expect(resolve(spaced)).toEqual({ url: '/x/a%2Fb%20c/{external_id}' });
  });

  const places = allActions().flatMap(({ name, configSchema }) =>
    stepsWith(configSchema.properties, (field) => (field.type === 'object' ? { a: script } : script)).map(
      (step) => [name, step] as const,
    ),
  );
  it.each(places)('refuses a script: %s, %j', (action, step) => {
    expect(checkFields(describedAction(action)!.configSchema, { ...step })).toEqual([
      expect.objectContaining({ type: 'script_invalid' }),
    ]);
  });

  it('are all checked', () => expect(places.length).toBeGreaterThan(50));
});
