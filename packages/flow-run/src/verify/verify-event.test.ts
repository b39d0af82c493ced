import { type ActionPorts, findAction } from '@sluice/actions';
import type { Entity, Step } from '@sluice/contracts';
import { compileEntity, compileFlow, done } from '@sluice/flow-engine';
import type { BulkSteps, FindRequest, StepTrace } from '@sluice/ports';
import { partialPort } from '@sluice/ports/testing';
import { verifyEvent } from './verify-event';
import type { VerifyReader } from './verify-records';

const entity: Entity = {
  name: 'contact',
  schemas: {
    crm: {
      object_type: 'contacts',
      identity: { property: 'email' },
      field_mappings: [
        { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
        { source: '$.payload.name', target: 'firstname' },
        { source: '$score.points', target: 'points' },
      ],
    },
  },
};
const upsert: Step = { id: 'a', action: 'upsert', target: 'crm', entity: 'contact' };
const lookUp: Step = { id: 'look', action: 'find', target: 'crm', entity: 'contact', match: { email: '$.payload.email' } };
const score: Step = { id: 'score', action: 'plugin', plugin: { logical_name: 'score' } };
interface Held {
  objectType: string;
  crm_id: string;
  properties: Record<string, string>;
  mapped?: { entity: string; externalId: string };
}
const ada: Held = {
  objectType: 'contacts',
  crm_id: '7',
  properties: { email: 'ada@example.com', firstname: 'Ada' },
  mapped: { entity: 'contact', externalId: 'ada@example.com' },
};

/** Texts are equal whatever their case, as in a search of the CRM. */
const isEqual = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase();

/** The reads that these flows need, of these records. */
function readerOf(records: Held[]): VerifyReader {
  const isMeant = ({ objectType, match, through }: FindRequest, { mapped, ...held }: Held): boolean =>
    through
      ? through.entity === mapped?.entity && through.externalId === mapped.externalId
      : objectType === held.objectType && Object.entries(match).every(([name, value]) => isEqual(held.properties[name], value));
  return partialPort<VerifyReader>('reader', {
    find: async (asked) => {
      const found = records.filter((record) => isMeant(asked, record));
      return { ok: true, value: { record: found[0] ?? null, count: found.length } };
    },
    readById: async (_type, crmId) => ({ ok: true, value: records.find(({ crm_id }) => crm_id === crmId) ?? null }),
    definition: async (_type, name) => ({
      ok: true,
      value: { name, label: name, type: 'string', fieldType: 'text', groupName: 'g' },
    }),
  });
}

const plugin = { compile: () => ({ effect: 'control' as const, touches: () => null, run: async () => done({ points: 3 }) }) };
function verify(
  steps: Step[],
  records: Held[],
  traces: StepTrace[] = [],
  payload: object = { email: 'ADA@example.com', name: 'Ada' },
  skipped: BulkSteps = {},
) {
  const flow = compileFlow<ActionPorts>(
    { name: 'f', source: 'event_api', event_type: 'x', steps },
    { entities: new Map([['contact', compileEntity(entity)]]), actions: (name) => findAction(name) ?? plugin },
  );
  const event = { payload, event_type: 'x', connector_id: 'c', source_type: 'event_api' };
  return verifyEvent(flow, event, readerOf(records), traces, skipped);
}
const bulk = (action: string, more: object = {}): Step =>
  ({ id: 'all', action, target: 'crm', entity: 'contact', items: '$.payload.people', ...more }) as Step;
const traceOf = (id: string, output: unknown): StepTrace => ({
  id,
  action: 'find',
  status: 'ok',
  output,
  error: null,
  started_at: '2026-01-01T00:00:00Z',
  duration_ms: 1,
  attempts: 1,
});

describe('verifying an event', () => {
  test('shows records that match the flow\'s projection, property by property', async () => {
    expect(await verify([upsert], [ada])).toEqual([
      {
        entity_name: 'contact',
        external_id: 'ada@example.com',
        crm_id: '7',
        status: 'match',
        reason: null,
        properties: [
          { name: 'email', expected: 'ada@example.com', actual: 'ada@example.com', match: true },
          { name: 'firstname', expected: 'Ada', actual: 'Ada', match: true },
        ],
      },
    ]);
  });

  test('shows what differs, what is missing, and finds a record that has no mapping', async () => {
    const changed = { ...ada, properties: { ...ada.properties, firstname: 'Eve' } };
    expect(await verify([upsert], [changed])).toMatchObject([
      { status: 'mismatch', properties: [{ match: true }, { name: 'firstname', expected: 'Ada', actual: 'Eve', match: false }] },
    ]);
    expect(await verify([upsert], [])).toMatchObject([{ status: 'missing', crm_id: null, properties: [{ actual: null }, {}] }]);
    const { mapped: _mapped, ...unmapped } = ada;
    expect(await verify([upsert], [unmapped])).toMatchObject([{ status: 'match', crm_id: '7' }]);
  });

  test('combines several writes of one record: the later value counts', async () => {
    const byId: Step = {
      id: 'b',
      action: 'update_by_id',
      target: 'crm',
      object_type: 'contacts',
      object_id: '$a.crm_id',
      data: { firstname: 'Ada L.' },
    };
    expect(await verify([upsert, byId], [ada])).toMatchObject([
      { status: 'mismatch', properties: [{}, { name: 'firstname', expected: 'Ada L.', actual: 'Ada' }] },
    ]);
  });

  test('uses what steps found when the event ran, not what they would find now', async () => {
    const steps: Step[] = [lookUp, { ...upsert, when: { not: { found: 'look' } } }];
    expect(await verify(steps, [ada], [traceOf('look', { found: false, crm_id: null, properties: {}, count: 0 })])).toMatchObject(
      [{ status: 'match' }],
    );
    expect(await verify(steps, [ada])).toMatchObject([{ status: 'not_verifiable', reason: 'the flow writes no CRM record' }]);
  });

  test('cannot verify values that need a step\'s output which is not known any more', async () => {
    const unknown = "it needs the output of step 'score', which is not known any more";
    expect(await verify([score, upsert], [ada])).toMatchObject([{ status: 'not_verifiable', reason: unknown }]);
    expect(await verify([score, upsert], [ada], [traceOf('score', { points: '… (+9 characters)' })])).toMatchObject([
      { status: 'not_verifiable' },
    ]);
    const points = { ...ada, properties: { ...ada.properties, points: '3' } };
    expect(await verify([score, upsert], [points], [traceOf('score', { points: 3 })])).toMatchObject([{ status: 'match' }]);
  });

  test('expects a deleted record not to exist, and nothing of a create that was not needed', async () => {
    const remove: Step = { id: 'd', action: 'delete', target: 'crm', entity: 'contact' };
    expect(await verify([remove], [])).toMatchObject([{ status: 'match', external_id: 'ada@example.com' }]);
    expect(await verify([remove], [ada])).toMatchObject([{ status: 'mismatch', crm_id: '7' }]);
    const create: Step = { id: 'c', action: 'create', target: 'crm', entity: 'contact' };
    const changed = { ...ada, properties: { ...ada.properties, firstname: 'Eve' } };
    expect(await verify([create], [changed])).toMatchObject([{ status: 'mismatch' }]);
    const skipped = traceOf('c', { entity: 'contact', skipped: true, reason: 'already_exists' });
    expect(await verify([create], [changed], [skipped])).toMatchObject([{ status: 'not_verifiable' }]);
  });

  const people = { people: [{ email: 'ada@example.com', name: 'Ada' }, { email: 'bob@example.com', name: 'Bob' }] };

  test.each(['upsert_many', 'update_many', 'create_many'])('compares each item of %s', async (action) => {
    const bob = { ...ada, crm_id: '8', properties: { email: 'bob@example.com', firstname: 'Eve' }, mapped: undefined };
    const { mapped: _none, ...other } = bob;
    expect(await verify([bulk(action)], [ada, other], [], people)).toMatchObject([
      { external_id: 'ada@example.com', crm_id: '7', status: 'match' },
      { external_id: 'bob@example.com', crm_id: '8', status: 'mismatch', properties: [{ match: true }, { actual: 'Eve' }] },
    ]);
    expect(await verify([bulk(action)], [ada], [], people)).toMatchObject([{ status: 'match' }, { status: 'missing' }]);
  });

  test('expects the records of delete_many to be gone', async () => {
    const remove = bulk('delete_many', { external_id: '$._item.email' });
    expect(await verify([remove], [ada], [], people)).toMatchObject([
      { external_id: 'ada@example.com', status: 'mismatch' },
      { external_id: 'bob@example.com', status: 'match' },
    ]);
  });

  test('expects nothing of an item that the run skipped', async () => {
    const id = 'ada@example.com';
    const ended = { status: 'skipped', reason: 'already_exists', failure: null };
    const items = [{ index: 0, key: id, entity: 'contact', external_id: id, crm_id: '7', ...ended }];
    const skipped = { all: { place: 0, action: 'create_many', items } };
    const changed = { ...ada, properties: { ...ada.properties, firstname: 'Eve' } };
    expect(await verify([bulk('create_many')], [changed], [], people, skipped as BulkSteps)).toMatchObject([
      { external_id: 'bob@example.com', status: 'missing' },
    ]);
  });

  test('compares the records of a flow that associates; associations are no properties', async () => {
    const from = { from_entity: 'contact', from_external_id: '$.payload.email' };
    const ends = { ...from, to_entity: 'contact', to_external_id: '$.payload.boss' };
    const links = ['associate', 'dissociate'].map((action) => ({ id: action, action, target: 'crm', ...ends }) as Step);
    const payload = { email: 'ada@example.com', name: 'Ada', boss: 'bob@example.com' };
    expect(await verify([upsert, ...links], [ada], [], payload)).toMatchObject([{ crm_id: '7', status: 'match' }]);
    expect(await verify(links, [ada], [], payload)).toMatchObject([
      { status: 'not_verifiable', reason: 'the flow writes no CRM record' },
    ]);
  });

  test('cannot verify when the CRM is not available, and when nothing is written to it', async () => {
    const down = {
      ...readerOf([ada]),
      readById: async () => ({ ok: false, kind: 'transient', code: 'crm_timeout', message: 'late' }),
    };
    const flow = compileFlow<ActionPorts>(
      { name: 'f', source: 'event_api', event_type: 'x', steps: [upsert] },
      { entities: new Map([['contact', compileEntity(entity)]]), actions: findAction },
    );
    const event = { payload: { email: 'ada@example.com' }, event_type: 'x', connector_id: 'c', source_type: 'event_api' };
    expect(await verifyEvent(flow, event, down as unknown as VerifyReader)).toMatchObject([
      { status: 'not_verifiable', reason: 'late', entity_name: 'contact' },
    ]);
    const away = { ...down, find: down.readById };
    expect(await verifyEvent(flow, event, away as unknown as VerifyReader)).toMatchObject([
      { status: 'not_verifiable', reason: 'late', entity_name: 'contact' },
    ]);
    expect(await verify([{ id: 's', action: 'skip', reason: 'a test' }], [ada])).toMatchObject([
      { status: 'not_verifiable', reason: 'the flow writes nothing: a test' },
    ]);
  });
});
