import type { ConfigDocument, Entity, Source, Step } from '@sluice/contracts';
import fc from 'fast-check';

/** A config of one flow and the payload of an event for it. */
export interface AnyRun {
  config: ConfigDocument;
  payload: unknown;
}

const transforms = ['trim', 'lowercase', 'normalize_email', 'to_string', 'to_number'];
const mapped = (source: string) =>
  fc.subarray(transforms, { maxLength: 2 }).map((transform) => ({ source, ...(transform.length > 0 && { transform }) }));

const entity = (name: string, objectType: string, property: string): fc.Arbitrary<Entity> =>
  fc
    .record({ id: mapped(`$.payload.${property}`), label: mapped('$.payload.name'), rest: mapped('$.payload.amount') })
    .map(({ id, label, rest }): Entity => ({
      name,
      schemas: {
        crm: {
          object_type: objectType,
          identity: { property },
          field_mappings: [
            { ...id, target: property },
            { ...label, target: 'label' },
            { ...rest, target: 'total' },
          ],
        },
        erp: {
          field_mappings: [
            { ...label, target: 'title' },
            { ...rest, target: 'sum' },
          ],
        },
      },
    }));

const answer = fc.option(
  fc.record({
    status: fc.constantFrom(200, 200, 201, 204, 302, 401, 404, 422, 429, 500),
    body: fc.constantFrom(null, 'a text', { id: 17, rows: [{ a: 1 }, { a: 'x' }] }, { id: ' ', rows: [] }),
    headers: fc.constantFrom({}, { 'X-Kind': 'a' }),
  }),
  { nil: undefined },
);
const source = (name: string): fc.Arbitrary<Source> =>
  answer.map((told) => ({
    name,
    type: 'rest',
    config: { base_url: `https://${name}.example.com/api`, ...(told && { dry_run_response: told }) },
  }));

const reference = fc.constantFrom(
  '$.payload.email',
  '$.payload.name',
  '$.payload.domain',
  '$.payload.amount',
  '$.payload.list[*].email',
  '$.external_id',
  '$.event_type',
  '$.payload.nothing',
  '$.timestamp',
  '$s0.crm_id',
  '$s0.external_id',
  '$s1.crm_id',
  '$s1.body.id',
  '$s2.external_id',
);
const inText = reference.map((text) => `value {${text}} of {$.payload.amount}`);
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('$'));
const template = fc.oneof(
  reference,
  inText,
  fc.constant({ a: '$.payload.amount', b: ['$s0', 1] }),
  fc.constantFrom(1, true, 'plain'),
);

const name = fc.constantFrom('contact', 'company');
const target = fc.constant('crm');
const rest = fc.constantFrom('erp', 'shop');
const url = fc.constantFrom('/a', '/a/{$.payload.name}', '/a?b={$.payload.amount}', 'c/{$s0.crm_id}/d');
const headers = fc.constantFrom({}, { 'X-Trace': '$.payload.name' }, { 'X-Day': 'at {$.timestamp}' });
const items = fc.constant('$.payload.list');
const identified = fc.constantFrom('$.payload.email', '$.payload.domain', '$s0.external_id');
const ends = {
  target,
  from_entity: fc.constant('contact'),
  from_external_id: identified,
  to_entity: fc.constant('company'),
  to_external_id: identified,
};
const optional = (model: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]) => fc.record(model, { requiredKeys });
const deletion = { entity: name, method: fc.constantFrom('DELETE', 'POST'), headers };

/** The fields of a step, by its action. */
const fieldsOf: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  upsert: fc.record({ target, entity: name }),
  create: fc.record({ target, entity: name }),
  update: fc.record({ target, entity: name }),
  delete: fc.oneof(
    fc.record({ target, entity: name }),
    fc.record({ ...deletion, target: rest, url: fc.constantFrom('/c/{external_id}', '/c/{external_id}?by={$.payload.name}') }),
  ),
  find: fc.record({ target, object_type: fc.constantFrom('contacts', 'companies'), match: fc.record({ label: template }) }),
  query: fc.constant({
    target: 'crm',
    object_type: 'tickets',
    filters: [{ property: 'a', operator: 'EQ', value: '$.payload.name' }],
  }),
  update_by_id: fc.record({
    target,
    object_type: fc.constantFrom('contacts', 'companies'),
    object_id: fc.constantFrom('$s0.crm_id', '$.payload.object.id'),
    data: fc.record({ note: template }),
  }),
  associate: fc.record(ends),
  dissociate: fc.record(ends),
  upsert_many: fc.record({ target, entity: name, items }),
  create_many: fc.record({ target, entity: name, items }),
  update_many: fc.record({ target, entity: name, items }),
  promote_identity: fc.record({ entity: name, crm_id: fc.constant('$s0.crm_id'), external_id: identified }),
  post: optional(
    {
      target: rest,
      url,
      headers,
      entity: name,
      body: template,
      method: fc.constantFrom('POST', 'GET', 'PUT'),
      external_id_from: fc.constant('$.id'),
    },
    'target',
    'url',
    'entity',
  ),
  notify: fc.oneof(
    optional({ target: rest, url, headers, message: inText, data: template }, 'target', 'url'),
    optional({ url: fc.constant('https://chat.example.com/hook/{$.payload.name}'), message: inText, data: template }, 'url'),
  ),
  export_file: optional(
    { rows: fc.constantFrom('$s0.body.rows', '$s0.rows'), format: fc.constantFrom('csv', 'json', 'jsonl'), filename: inText },
    'rows',
  ),
  submit_form: fc.record({
    form_id: fc.constant('f'),
    fields: fc.record({ name: fc.constant('a'), value: template }).map((one) => [one]),
  }),
  skip: fc.record({ reason: inText }),
};

/** Every action that the runs have. */
export const anyActions: readonly string[] = Object.keys(fieldsOf);

const when = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  reference.map((path) => ({ exists: path })),
  reference.map((path) => ({ not: { equals: { path, value: 'x' } } })),
  fc.tuple(reference, fc.integer()).map(([path, value]) => ({ gt: { path, value } })),
);
const likelyFirst = fc.constantFrom('upsert', 'upsert', 'post', 'create', ...anyActions.filter((one) => one !== 'export_file'));
const stepOf = (place: number): fc.Arbitrary<Step> =>
  fc
    .tuple(place === 0 ? likelyFirst : fc.constantFrom(...anyActions, 'upsert', 'update', 'post'), when)
    .chain(([action, condition]) =>
      fieldsOf[action]!.map((fields) => ({ id: `s${place}`, action, ...fields, ...(condition && { when: condition }) })),
    );
/** References to steps that are not there, or come later, are refused at save. */
const isOrdered = (steps: readonly Step[]): boolean =>
  steps.every((step, place) => [...JSON.stringify(step).matchAll(/\$s(\d)/g)].every(([, named]) => Number(named) < place));
const stepList = fc
  .integer({ min: 1, max: 5 })
  .chain((length) =>
    fc.tuple(...Array.from({ length }, (_, place) => stepOf(place).filter((step) => isOrdered([...before(place), step])))),
  );
const before = (places: number): Step[] => Array.from({ length: places }, (_, place) => ({ id: `s${place}`, action: 'skip' }));

const text = fc.constantFrom(
  'Ada@Example.com',
  'bob@example.com',
  'example.com',
  ' Ada ',
  '',
  '12,5',
  '2026-01-01',
  'ä/ö ?&#%2e',
);
/** Mostly what an author expects, sometimes anything. */
const field = (usual: fc.Arbitrary<unknown>) => fc.oneof({ weight: 7, arbitrary: usual }, json);
const person = {
  email: field(text),
  name: field(text),
  domain: field(text),
  amount: field(fc.oneof(fc.integer(), fc.double(), text)),
};
const payload = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record(
      {
        ...person,
        object: field(fc.record({ id: fc.oneof(fc.nat(), fc.constantFrom('501', 'x y')) })),
        list: field(
          fc.array(fc.oneof({ weight: 5, arbitrary: fc.record(person, { requiredKeys: [] }) }, json), { maxLength: 4 }),
        ),
      },
      { requiredKeys: ['email', 'domain'] },
    ),
  },
  json,
);

/** Any valid config with any event for it. */
export const anyRun: fc.Arbitrary<AnyRun> = fc
  .record({
    entities: fc.tuple(entity('contact', 'contacts', 'email'), entity('company', 'companies', 'domain')),
    sources: fc.tuple(source('erp'), source('shop')),
    steps: stepList,
    payload,
  })
  .map(({ entities, sources, steps, payload: event }) => ({
    config: { version: '3.1', entities, sources, flows: [{ name: 'any', source: 'event_api', event_type: 'x', steps }] },
    payload: event,
  }));
