import type { Entity, Flow, Step } from '@sluice/contracts';
import { compileFlow } from '@sluice/flow-engine';
import type { CarriedRecord } from '@sluice/ports';
import { RestTargetsTwin } from '@sluice/ports/testing';
import type { ActionPorts } from '../action-ports';
import { findAction } from '../registry';
import { compiled as compiledEntities, portsOf } from '../shared/test-support/step-run';

const contact: Entity = {
  name: 'contact',
  schemas: {
    crm: {
      object_type: 'contacts',
      identity: { property: 'email' },
      field_mappings: [{ source: '$.payload.mail', target: 'email' }],
    },
    canonical: {
      field_mappings: [{ source: '$.payload.object.properties.phone', target: '$.canonical.reach.phone' }],
    },
    erp: {
      field_mappings: [
        { source: '$.payload.object.properties.email', target: 'mail' },
        { source: '$.payload.object.properties["city"]', target: 'town', transform: ['uppercase'] },
        { source: '$.payload.object.properties.firstname', target: 'name' },
        { source: '$.canonical.reach', target: 'reach' },
      ],
    },
  },
};
const shop: Entity = {
  name: 'shop',
  payload_root: '$.payload.object.properties',
  schemas: {
    crm: { object_type: 'contacts' },
    erp: {
      identity: { property: 'number' },
      field_mappings: [
        { source: '$.payload.number', target: 'number' },
        { source: '$.payload.city', target: 'town' },
        { source: '$.payload.email', target: 'mail' },
      ],
    },
  },
};
const entities = compiledEntities(contact, shop);
const properties = { email: 'ada@x.co', city: 'Ulm', firstname: 'Ada', phone: '1', number: 7, unsent: 'u' };
const canonical = { reach: { phone: '1' } };

interface Case {
  step?: Partial<Step>;
  flow?: Partial<Flow>;
  changed?: unknown;
  type?: string;
  source?: string;
  isOutdated?: boolean;
}

/** A run of a post for an event of the journal, and what it asked and sent. */
async function run({ step, flow, changed = ['city'], type = '0-1.update', source = 'crm', isOutdated = false }: Case = {}) {
  const post: Step = { id: 'send', action: 'post', target: 'erp', url: '/customers', entity: 'contact', ...step };
  const authored: Flow = { name: 'out', source: 'crm', event_type: '0-1.*', steps: [post], ...flow };
  const compiled = compileFlow<ActionPorts>(authored, { entities, actions: findAction });
  const payload = { event: {}, object: { id: '501', type: '0-1', properties }, changed };
  const ctx = { ...compiled.contextOf({ payload, event_type: type, connector_id: 'c', source_type: source }), canonical };
  const rest = new RestTargetsTwin();
  const asked: CarriedRecord[] = [];
  const ports = portsOf({ rest: Object.assign(rest, { isOutdated: async (record: CarriedRecord) => asked.push(record) > 0
    && isOutdated }) });
  const outcome = await compiled.steps[0]!.run({ entities, ctx, ports, signal: new AbortController().signal });
  return { asked, outcome, requests: rest.requests };
}

async function sent(given: Case = {}) {
  const { outcome, requests } = await run(given);
  expect(outcome.kind).toBe('done');
  return requests[0]!;
}

const whole = { mail: 'ada@x.co', town: 'ULM', name: 'Ada', reach: { phone: '1' } };
const narrow = { narrow_outbound_projection: true };

describe('narrow_outbound_projection', () => {
  it('sends what the event changed, and the identity', async () => {
    expect((await sent({ flow: narrow })).body).toEqual({ mail: 'ada@x.co', town: 'ULM' });
    expect((await sent({ flow: narrow, changed: [] })).body).toEqual({ mail: 'ada@x.co' });
    expect((await sent({ flow: narrow, step: { fields: ['mail', 'name'] } })).body).toEqual({ mail: 'ada@x.co' });
  });

  it('follows the canonical form, payload_root and the identity of the destination', async () => {
    expect((await sent({ flow: narrow, changed: ['phone'] })).body).toEqual({ mail: 'ada@x.co', reach: { phone: '1' } });
    expect((await sent({ flow: narrow, step: { entity: 'shop' } })).body).toEqual({ number: 7, town: 'Ulm' });
  });

  it.each<[string, Case]>([
    ['a flow without the switch', {}],
    ['a new record', { flow: narrow, type: '0-1.create' }],
    ['an event that does not say what it changed', { flow: narrow, changed: null }],
    ['an event of another source', { flow: narrow, source: 'webhook' }],
  ])('sends everything for %s', async (_what, given) => {
    expect((await sent(given)).body).toEqual(whole);
  });

  it('leaves an authored body as it is', async () => {
    expect((await sent({ flow: narrow, step: { body: { a: 1 } } })).body).toEqual({ a: 1 });
  });
});

describe('the record values that a post carries', () => {
  const record = { objectType: '0-1', crmId: '501' };

  it('the values of the CRM that its projection is made of', async () => {
    const { email, city, firstname, phone } = properties;
    const told = { ...record, changed: ['city'] };
    expect((await sent()).carries).toEqual({ ...told, properties: { email, city, firstname, phone } });
    expect((await sent({ flow: narrow })).carries).toEqual({ ...told, properties: { email, city } });
    expect((await sent({ step: { fields: ['town'] } })).carries).toEqual({ ...told, properties: { city } });
    expect((await sent({ type: '0-1.create' })).carries).toEqual({ ...record, properties: { email, city, firstname, phone } });
  });

  it('and those that its fields read', async () => {
    const step = { url: '/c/{$.payload.object.properties.number}', body: { town: 'in {$.payload.object.properties.city}' } };
    expect((await sent({ step })).carries).toEqual({ ...record, changed: ['city'], properties: { number: 7, city: 'Ulm' } });
    expect((await sent({ step: { body: '$.payload.object.properties' } })).carries).toEqual({ ...record, changed: ['city'],
      properties });
  });

  it.each<[string, Case]>([
    ['without freshness_check', { flow: { freshness_check: false } }],
    ['of another source', { source: 'webhook' }],
    ['with GET', { step: { method: 'GET', url: '/c/{$.payload.object.properties.number}' } }],
    ['that takes nothing of it', { step: { body: { id: '$.payload.object.id' } } }],
  ])('nothing %s', async (_what, given) => {
    expect((await sent(given)).carries).toBeUndefined();
  });
});

describe('values that the CRM has replaced meanwhile', () => {
  it('are not sent: the event of the later change brings the present ones', async () => {
    const { asked, outcome, requests } = await run({ isOutdated: true });
    expect(requests).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { skipped: true, reason: 'superseded', status: null } });
    expect(asked).toMatchObject([{ crmId: '501', changed: ['city'] }]);
  });

  it.each<[string, Case]>([
    ['without freshness_check', { flow: { freshness_check: false } }],
    ['of another source', { source: 'webhook' }],
    ['with GET', { step: { method: 'GET', url: '/c/{$.payload.object.properties.number}' } }],
  ])('are sent %s', async (_what, given) => {
    const { asked, requests } = await run({ isOutdated: true, ...given });
    expect([asked.length, requests.length]).toEqual([0, 1]);
  });
});
