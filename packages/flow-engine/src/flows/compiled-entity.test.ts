import type { Entity, FieldMapping, SchemaSpec } from '@sluice/contracts/config-document';
import fc from 'fast-check';
import { compileEntity, projectRecord } from './compiled-entity';
import { aContext } from '../testing/a-context';

const entity = (mappings: FieldMapping[], more: Partial<Entity> = {}, schema: Partial<SchemaSpec> = {}): Entity => ({
  name: 'contact',
  schemas: { crm: { object_type: 'contacts', identity: { property: 'email' }, field_mappings: mappings, ...schema } },
  ...more,
});
const email: FieldMapping = { source: '$.payload.email', target: 'email' };
const project = (authored: Entity, payload: unknown, more = {}, fields?: string[]) =>
  projectRecord(compileEntity(authored), aContext(payload, more), fields);

describe('projectRecord', () => {
  it('writes resolved values, clears on an explicit null, leaves out mappings that resolve to nothing', () => {
    const authored = entity([
      email,
      { source: '$.payload.a', target: 'a' },
      { source: '$.payload.b', target: 'b' },
      { source: '$.payload.c', target: 'c' },
    ]);
    expect(project(authored, { email: 'x@y.z', a: null, b: 0 })).toEqual({
      ok: true,
      target: {
        entity: 'contact',
        objectType: 'contacts',
        identityProperty: 'email',
        identityValue: 'x@y.z',
        externalId: 'x@y.z',
      },
      properties: { email: 'x@y.z', a: null, b: 0 },
    });
  });

  it('fills names of templates, re-roots the payload, leaves canonical targets out', () => {
    const authored = entity(
      [
        email,
        { source: '$.payload.price', target_template: 'price_{$.payload.currency}' },
        { source: '$.payload.price', target: '$.canonical.price' },
        { source: '$.event_type', target: 'kind' },
      ],
      { payload_root: '$.payload.customer' },
    );
    expect(project(authored, { customer: { email: 'x@y.z', price: 5, currency: 'eur' } })).toEqual({
      ok: true,
      target: expect.objectContaining({ identityValue: 'x@y.z' }) as unknown,
      properties: { email: 'x@y.z', price_eur: 5, kind: 'order.created' },
    });
    expect(project(authored, { email: 'outside' })).toMatchObject({
      ok: true,
      target: { identityValue: null },
      properties: { kind: 'order.created' },
    });
  });

  it('filters static targets by the allowlist, never the identity and never templates', () => {
    const authored = entity([
      email,
      { source: '$.payload.a', target: 'a' },
      { source: '$.payload.b', target: 'b' },
      { source: '$.payload.c', target_template: 'c_{$.payload.a}' },
    ]);
    expect(project(authored, { email: 'e@f.g', a: 1, b: 2, c: 3 }, {}, ['b'])).toMatchObject({
      properties: { email: 'e@f.g', b: 2, c_1: 3 },
    });
    expect(
      Object.keys(
        (project(authored, { email: 'e@f.g', a: 1, b: 2, c: 3 }, {}, ['b']) as { properties: object }).properties,
      ).sort(),
    ).toEqual(['b', 'c_1', 'email']);
  });

  it.each<[string, FieldMapping, unknown, RegExp]>([
    ['a list', { source: '$.payload.a', target: 'a' }, { a: [1] }, /mapping 'a': a list is no property value/],
    ['an object', { source: '$.payload.a', target: 'a' }, { a: {} }, /mapping 'a': an object is no property value/],
    [
      'a transform that cannot',
      { source: '$.payload.a', target: 'a', transform: ['to_number'] },
      { a: 'x' },
      /mapping 'a': transform 'to_number' cannot handle a string/,
    ],
  ])('fails on %s, naming the mapping', (_title, mapping, payload, message) => {
    expect(project(entity([mapping]), payload)).toMatchObject({
      ok: false,
      code: 'mapping_failed',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('refuses an identity that is no text or number', () => {
    expect(project(entity([email]), { email: true })).toMatchObject({ ok: false, code: 'identity_failed' });
  });

  it('reads only own members of any payload', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const result = project(
          entity([email, { source: '$.payload.toString', target: 'a' }, { source: '$.payload.__proto__', target: 'b' }]),
          payload,
        );
        return result.ok || result.code !== 'mapping_failed' || /mapping '(email|a|b)'/.test(result.message);
      }),
    );
  });
});

describe('the external id', () => {
  const withPath = entity([email], {}, { identity_source_path: '$.payload.ref' });

  it.each<[string, Entity, unknown, object, string | null]>([
    [
      "an entries' record takes externalObjectId",
      withPath,
      { email: 'e@f.g', ref: 7 },
      { external_id: 'X1', own_entity: 'contact' },
      'X1',
    ],
    [
      'another entity of the same flow does not',
      withPath,
      { email: 'e@f.g', ref: 7 },
      { external_id: 'X1', own_entity: 'order' },
      '7',
    ],
    ['else the identity_source_path', withPath, { email: 'e@f.g', ref: 'R' }, {}, 'R'],
    ['else the projected identity value', withPath, { email: 'e@f.g' }, {}, 'e@f.g'],
    ['a number is its text', entity([email]), { email: 17 }, {}, '17'],
    ['blank is none', entity([email]), { email: '  ' }, {}, null],
    ['nothing is none', entity([email]), {}, {}, null],
  ])('%s', (_title, authored, payload, more, expected) => {
    expect(project(authored, payload, more)).toMatchObject({ ok: true, target: { externalId: expected } });
  });

  it('does not replace the value used for the search in the CRM', () => {
    expect(project(entity([email]), { email: 'e@f.g' }, { external_id: 'X1', own_entity: 'contact' })).toMatchObject({
      target: { identityValue: 'e@f.g', externalId: 'X1' },
    });
  });
});

describe('other schemas', () => {
  it('keep lists and objects, and nest canonical targets', () => {
    const authored = entity([email], {});
    authored.schemas.canonical = {
      field_mappings: [
        { source: '$.payload.tags', target: '$.canonical.meta.tags' },
        { source: '$.payload.email', target: '$.canonical.meta.mail' },
        { source: '$.payload.tags', target: 'flat' },
      ],
    };
    const projected = compileEntity(authored)
      .projections.get('canonical')!
      .project(aContext({ email: 'e', tags: ['x'] }));
    expect(projected).toEqual({ ok: true, properties: { meta: { tags: ['x'], mail: 'e' }, flat: ['x'] } });
  });

  it.each([
    ['$.canonical["first-name"].x', { 'first-name': { x: 1 } }],
    ["$.canonical['a b']", { 'a b': 1 }],
    ['$.canonical["a.b"]', { 'a.b': 1 }],
  ])('puts a value where %s says', (target, properties) => {
    const authored = entity([email], {});
    authored.schemas.canonical = { field_mappings: [{ source: '$.payload.n', target }] };
    const projected = compileEntity(authored).projections.get('canonical')!.project(aContext({ n: 1 }));
    expect(projected).toEqual({ ok: true, properties });
  });

  it('use a name from a value unchanged: it names a property, not a path', () => {
    const authored = entity([email, { source: '$.payload.n', target_template: '{$.payload.name}' }], {});
    authored.schemas.canonical = authored.schemas.crm!;
    const ctx = aContext({ email: 'e', n: 1, name: '$.canonical.email' });
    const { crm, projections } = compileEntity(authored);
    const expected = { ok: true, properties: { email: 'e', '$.canonical.email': 1 } };
    expect(crm!.projectProperties(ctx)).toEqual(expected);
    expect(projections.get('canonical')!.project(ctx)).toEqual(expected);
  });

  it('never write to a prototype', () => {
    const authored = entity([
      { source: '$.payload.a', target: '$.canonical.__proto__.polluted' },
      { source: '$.payload.a', target: '__proto__' },
    ]);
    compileEntity(authored)
      .projections.get('crm')!
      .project(aContext({ a: 1 }));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
