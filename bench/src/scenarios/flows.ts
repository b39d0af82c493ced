import { eventually } from '@sluice/testkit';
import { openOrganization, untilKnown, type Connector } from '../stack/tenant';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { crmLatencyMs } from './bench-lab';
import { atMost, type Scenario } from './scenario';

const map = (source: string, target: string) => ({ source, target });
const schema = (objectType: string, property: string, ...fieldMappings: object[]) => ({
  crm: { object_type: objectType, identity: { property }, field_mappings: fieldMappings },
});
const flow = (event: string, ...steps: object[]) => ({ name: event, source: 'event_api', event_type: event, steps });
const write = (id: string, action: string, entity: string, more: object = {}) => ({ id, action, target: 'crm', entity, ...more });
const join = { from_entity: 'customer', to_entity: 'order', target: 'crm' };
const toOrder = { from_external_id: '$.payload.email', to_external_id: '$.payload.number' };

/** Customers by a property that the CRM keeps unique, orders by one that has to be searched. */
const config = {
  version: '3.1',
  entities: [
    {
      name: 'customer',
      schemas: schema('contacts', 'email', map('$.payload.email', 'email'), map('$.payload.name', 'firstname')),
    },
    {
      name: 'order',
      schemas: schema(
        'deals',
        'description',
        map('$.payload.number', 'description'),
        map('$.payload.title', 'dealname'),
        map('$.payload.stage', 'dealstage'),
      ),
    },
  ],
  flows: [
    flow('customer.saved', write('save', 'upsert', 'customer')),
    flow('customer.changed', write('save', 'update', 'customer')),
    flow('order.opened', write('save', 'upsert', 'order')),
    flow(
      'customer.ordered',
      write('seek', 'find', 'customer', { match: { email: '$.payload.email' } }),
      write('save', 'upsert', 'customer'),
      { id: 'link', action: 'associate', ...join, ...toOrder },
    ),
    flow('order.placed', write('customer', 'upsert', 'customer'), write('order', 'upsert', 'order'), {
      id: 'link', action: 'associate', ...join, ...toOrder,
    }),
    flow('customers.imported', write('save', 'upsert_many', 'customer', { items: '$.payload.people' }), {
      id: 'link', action: 'associate_many', ...join, items: '$.payload.people', from_external_id: '$._item.email',
      to_external_id: '$.payload.number',
    }),
  ],
  sources: [],
  settings: {},
};

interface Load {
  name: string;
  event: string;
  payloads: object[];
  /** Records of the source that one event stands for. */
  perEvent: number;
}

const person = (prefix: string, index: number) => ({ email: `${prefix}-${index}@bench.example`, name: `Ana ${index}` });
const order = (number: string) => ({ number, title: number, stage: 'appointmentscheduled' });
const list = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

function loadsOf(scale: number): Load[] {
  const many = Math.round(10_000 * scale);
  const some = Math.round(3_000 * scale);
  return [
    { name: 'upsert', event: 'customer.saved', perEvent: 1, payloads: list(many, (index) => person('a', index)) },
    { name: 'update', event: 'customer.changed', perEvent: 1, payloads: list(many, (index) => person('a', index)) },
    {
      name: 'find, upsert, associate', event: 'customer.ordered', perEvent: 1,
      payloads: list(many, (index) => ({ ...person('b', index), number: 'known' })),
    },
    {
      name: 'upsert twice (one searched for), associate', event: 'order.placed', perEvent: 2,
      payloads: list(some, (index) => ({ ...person('c', index), ...order(`N-${index}`) })),
    },
    {
      name: 'upsert_many, associate_many, 100 in an event', event: 'customers.imported', perEvent: 100,
      payloads: list(Math.ceil(many / 100), (index) => ({
        number: 'known',
        people: list(100, (one) => person('d', index * 100 + one)),
      })),
    },
  ];
}

interface Sent {
  id: string;
}

/** Sends events, 50 at a time. */
async function send(url: string, connector: Connector, event: string, payloads: readonly object[]): Promise<Sent[]> {
  const headers = { 'content-type': 'application/json', 'x-api-key': connector.apiKey };
  const sent: Sent[] = [];
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < payloads.length) {
      const body = JSON.stringify({ event, data: payloads[next++] });
      const response = await fetch(`${url}/api/v1/events`, { method: 'POST', headers, body });
      if (response.status !== 202) throw new Error(`${event}: ${response.status} ${await response.text()}`);
      sent.push({ id: ((await response.json()) as { event_id: string }).event_id });
    }
  };
  await Promise.all(list(50, sender));
  return sent;
}

/** Waits until events have ended well: of many, so many spread evenly and the last ones. */
async function untilCompleted(url: string, connector: Connector, sent: readonly Sent[]): Promise<void> {
  const step = Math.max(1, Math.floor(sent.length / 100));
  const asked = sent.filter((_, index) => index % step === 0 || index >= sent.length - 50);
  for (const { id } of asked) {
    await eventually(async () => {
      const response = await fetch(`${url}/api/v1/events/${id}/status`, { headers: { 'x-api-key': connector.apiKey } });
      const { status } = (await response.json()) as { status: string };
      if (['failed', 'partial_failure', 'skipped', 'drained'].includes(status)) throw new Error(`event ${id} ended ${status}`);
      return status === 'completed';
    }, { timeoutMs: 180_000, everyMs: 200 });
  }
}

async function connectorOf(stack: Stack, portal: Portal): Promise<Connector> {
  const call = await openOrganization(stack.configApi, stack.operatorToken, portal);
  const made = await call<{ id: string; api_key: { raw_key: string } }>('POST', '/api/connectors', {
    name: 'Flows',
    create_api_key: true,
  });
  await call('PUT', `/api/connectors/${made.id}/draft`, config);
  await call('POST', `/api/connectors/${made.id}/publish`, {});
  return { id: made.id, apiKey: made.api_key.raw_key };
}

/** Calls to the CRM per record of five typical flows: distinct records, one connector in connector order, one runner. */
export const flows: Scenario = {
  name: 'flows',
  usesBroker: true,
  words: 'CRM calls per record of five typical flows',
  run: async ({ stack, scale }) => {
    const portal = await stack.crm.addPortal(crmLatencyMs);
    const connector = await connectorOf(stack, portal);
    const [ingest, runner] = [await stack.spawn('ingest-api'), await stack.spawn('flow-runner')];
    try {
      await untilKnown(ingest.url, [connector]);
      await untilCompleted(ingest.url, connector, await send(ingest.url, connector, 'order.opened', [order('known')]));
      const rows: Record<string, unknown>[] = [];
      const perRecord: number[] = [];
      for (const { name, event, payloads, perEvent } of loadsOf(scale)) {
        const before = await portal.stats();
        await untilCompleted(ingest.url, connector, await send(ingest.url, connector, event, payloads));
        const records = payloads.length * perEvent;
        const calls = (await portal.stats()).calls - before.calls;
        perRecord.push(calls / records);
        rows.push({ flow: name, records, 'CRM calls': calls, 'calls/record': (calls / records).toFixed(4) });
      }
      return {
        title: `flows: one connector in connector order, one runner; CRM ${crmLatencyMs} ms`,
        rows,
        holds: [
          atMost('CRM calls per record, find + upsert + associate', perRecord[2]!, 0.06),
          atMost('CRM calls per record, the most of the five', Math.max(...perRecord), 0.06),
        ],
      };
    } finally {
      await Promise.all([ingest.stop(), runner.stop()]);
    }
  },
};
