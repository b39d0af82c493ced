import type { Step } from '@sluice/contracts';
import { contactConfig } from '../../../test-support/contact-config';
import { start } from './publish-lab';

/** The draft of a connector: how it is made, replaced and patched, and what is refused. */
export function draftTests(): void {
  describe('the draft', () => {
    test('is created by its first read and replaced whole', async () => {
      const { owner, draft } = await start();
      const first = (await owner.get(draft).expect(200)).body;
      expect(first).toMatchObject({
        base_version: null,
        draft_version: 1,
        updated_by: null,
        has_changes: false,
        direction: null,
        flow_directions: {},
        warnings: [],
      });
      const replaced = (await owner.put(draft, contactConfig).expect(200)).body;
      expect(replaced).toMatchObject({
        config: contactConfig,
        draft_version: 2,
        updated_by: owner.userId,
        has_changes: true,
        direction: 'inbound',
        flow_directions: { customers: 'inbound' },
      });
      expect((await owner.get(draft)).body).toEqual(replaced);
    });

    test('refuses a document with all its problems at once', async () => {
      const { owner, draft } = await start();
      const broken = {
        ...contactConfig,
        extra: 1,
        flows: [
          {
            ...contactConfig.flows[0]!,
            steps: [
              { id: 'a', action: 'fly' },
              { id: 'a', action: 'skip' },
            ],
          },
        ],
      };
      const { detail } = (await owner.put(draft, broken).expect(422)).body;
      expect(detail.length).toBeGreaterThanOrEqual(3);
      expect(JSON.stringify(detail)).toMatch(/extra/);
      expect((await owner.get(draft)).body.draft_version).toBe(1);
      const large = { ...contactConfig, settings: { note: 'x'.repeat(1_048_576) } };
      expect((await owner.put(draft, large).expect(413)).body).toEqual({
        detail: { error: 'payload_too_large', limit_bytes: 1_048_576 },
      });
      const larger = { ...contactConfig, settings: { note: 'x'.repeat(2_000_000) } };
      expect((await owner.put(draft, larger).expect(413)).body).toEqual({
        detail: { error: 'payload_too_large', limit_bytes: 1_048_576 },
      });
      expect((await owner.put(draft, { ...contactConfig, settings: { note: 'a\0b' } }).expect(422)).body.detail).toMatchObject([
        { type: 'string_unicode', loc: ['body', 'settings', 'note'] },
      ]);
      await owner.put(draft).set('content-type', 'application/json').send('{"a":').expect(400);
    });

    test('is patched by RFC 7396, guarded by its version', async () => {
      const { owner, draft } = await start();
      await owner.put(draft, contactConfig).expect(200);
      const patched = (await owner.patch(draft, { settings: { note: 'x' }, expected_version: 2 }).expect(200)).body;
      expect([patched.draft_version, patched.config]).toEqual([3, { ...contactConfig, settings: { note: 'x' } }]);
      expect((await owner.patch(draft, { settings: { note: null }, expected_version: 2 }).expect(409)).body).toEqual({
        detail: { code: 'draft_version_conflict', expected_version: 2, draft_version: 3 },
      });
      expect((await owner.patch(draft, { patch: { settings: { note: null } } }).expect(200)).body.config.settings).toEqual({});
      await owner.patch(draft, { config: {} }).expect(422);
      const both = await Promise.all([1, 2, 3].map((n) => owner.patch(draft, { settings: { [`n${n}`]: n } })));
      expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await owner.get(draft)).body.config.settings).toEqual({ n1: 1, n2: 2, n3: 3 });
    });

    test('has custom object types within the plan', async () => {
      const { owner, draft } = await start({ tier: 'pro' });
      const config = structuredClone(contactConfig);
      config.entities[0]!.schemas.crm!.object_type = 'p1000001_boats';
      expect((await owner.put(draft, config).expect(402)).body.detail).toMatchObject({
        error: 'custom_objects_not_allowed',
        custom_object_types: ['p1000001_boats'],
      });
    });

    test.each<[string, Partial<Step>]>([
      ['find', { match: { email: 'a@b.co' } }],
      ['query', {}],
      ['update_by_id', { object_id: '$.payload.id', data: { a: 1 } }],
    ])('has none on a plan without them, also not through the object_type of %s', async (action, fields) => {
      const { owner, draft } = await start({ tier: 'free' });
      const flow = (object_type: string) => ({
        source: 'event_api', event_type: 'x', steps: [{ id: 'it', action, target: 'crm', object_type, ...fields }],
      });
      const refused = await owner.put(`${draft}/flows/odd`, flow('p1000001_boats')).expect(402);
      expect(refused.body.detail).toMatchObject({ error: 'custom_objects_not_allowed', custom_object_types: ['p1000001_boats'] });
      await owner.put(`${draft}/flows/odd`, flow('contacts')).expect(200);
    });

    test('one custom object type that is named by name and by id counts once', async () => {
      const { owner, draft } = await start({ tier: 'scale' });
      const named = (types: string[]) =>
        types.map((object_type, index) => ({ name: `e${index}`, schemas: { crm: { object_type } } }));
      const types = Array.from({ length: 5 }, (_, index) => [`p1_t${index}`, `2-${index}`]).flat();
      await owner.put(draft, { ...contactConfig, flows: [], entities: named(types) }).expect(200);
      const refused = await owner.put(draft, { ...contactConfig, flows: [], entities: named([...types, '2-5']) }).expect(402);
      expect(refused.body.detail).toMatchObject({ error: 'custom_object_type_limit_reached', limit: 5, usage: 5 });
    });

    test('counts its custom object types for the billing view, each once', async () => {
      const { owner, draft } = await start();
      const used = async () => (await owner.get('/api/v1/billing/me').expect(200)).body.custom_object_types_used;
      const config = structuredClone(contactConfig);
      const boat = { name: 'boat', schemas: { crm: { object_type: 'p1000001_boats' } } };
      await owner.put(draft, { ...config, entities: [...config.entities, boat, { ...boat, name: 'ship' }] }).expect(200);
      expect(await used()).toBe(1);
      await owner.put(draft, config).expect(200);
      expect(await used()).toBe(0);
    });
  });
}
