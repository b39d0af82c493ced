import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, shopConfig, type RunnerLab } from '../test-support/runner-lab';

const customerEmail = '$.payload.customer.email';

/** Customers, orders, and events that say which orders a customer has. */
const config: ConfigDocument = {
  ...shopConfig,
  flows: [
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer.saved',
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
    },
    {
      name: 'orders',
      source: 'event_api',
      event_type: 'order.saved',
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'order' }],
    },
    {
      name: 'holdings',
      source: 'event_api',
      event_type: 'customer.orders',
      steps: [
        {
          id: 'link',
          action: 'associate',
          target: 'crm',
          from_entity: 'customer',
          to_entity: 'order',
          from_external_id: customerEmail,
          items: '$.payload.orders',
          to_external_id: '$._item.number',
          replace: true,
        },
      ],
    },
  ],
};

describe('associations that replace what there was', () => {
  let lab: RunnerLab;
  let sent = 0;
  afterEach(() => lab.stop());

  const customer = { email: 'a@shop.test', name: 'a' };
  const send = async (type: string, payload: Record<string, unknown>): Promise<void> => {
    await lab.send([{ id: `evt_${(sent += 1)}`, type, payload: { customer, ...payload } }]);
    await until(`${type} ${sent} has run`, () => lab.rows().some(({ unit }) => unit.eventId === `evt_${sent}`));
  };
  const linked = async (): Promise<string[]> => {
    const orders = await lab.records('deals');
    return orders
      .filter(({ associations }) => associations.some((one) => one.to_object_type === 'contacts'))
      .map(({ properties }) => properties['description']!)
      .sort();
  };
  const numbers = (...list: string[]): { orders: { number: string }[] } => ({ orders: list.map((number) => ({ number })) });
  const start = async (): Promise<void> => {
    lab = await runnerLab(config);
    await lab.addRunner();
    await send('customer.saved', {});
    for (const number of ['N1', 'N2', 'N3'])
      await send('order.saved', { number, title: number, stage: 'appointmentscheduled', amount: 1 });
    await send('customer.orders', numbers('N1', 'N2'));
    expect(await linked()).toEqual(['N1', 'N2']);
  };

  it('leave what the list contains, and nothing when it is empty', async () => {
    await start();
    await send('customer.orders', numbers('N2', 'N3'));
    expect(await linked()).toEqual(['N2', 'N3']);
    await send('customer.orders', numbers());
    expect(await linked()).toEqual([]);
    expect(lab.rows().every(({ status }) => status === 'completed')).toBe(true);
    await send('customer.orders', numbers());
    expect(lab.rows().at(-1)).toMatchObject({ status: 'skipped', reason: 'nothing_to_write' });
  });

  it('are half done when one of the list never comes', async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
    await send('customer.saved', {});
    await send('order.saved', { number: 'N1', title: 'N1', stage: 'appointmentscheduled', amount: 1 });
    await send('customer.orders', numbers('N1', 'gone'));
    expect(lab.rows().at(-1)).toMatchObject({ status: 'partial_success', errorCode: 'related_record_not_synced', attempts: 5 });
    expect(await linked()).toEqual(['N1']);
    await send('customer.orders', numbers('gone'));
    expect(lab.rows().at(-1)).toMatchObject({ status: 'parked', errorCode: 'related_record_not_synced' });
  });

  it('leave what was merged in the CRM into the record that the list names', async () => {
    await start();
    await send('customer.orders', numbers('N1', 'N2', 'N3'));
    const idOf = async (number: string): Promise<string> =>
      (await lab.records('deals')).find(({ properties }) => properties['description'] === number)!.id;
    const merge = { primaryObjectId: await idOf('N3'), objectIdToMerge: await idOf('N1') };
    await lab.sim('POST', '/crm/v3/objects/deals/merge', merge);
    await send('customer.orders', numbers('N1'));
    expect(await linked()).toEqual(['N3']);
  });

  it('leave everything when the event has no list, or one that names nobody', async () => {
    await start();
    await send('customer.orders', {});
    await send('customer.orders', { orders: [{ title: 'no number' }] });
    expect(await linked()).toEqual(['N1', 'N2']);
  });
});

describe('an association whose other end was deleted in the CRM', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const customer = { email: 'a@shop.test', name: 'a' };
  const policyOf = (onTargetDeleted: 'skip' | 'recreate'): ConfigDocument =>
    ({ ...config, entities: config.entities.map((entity) => ({ ...entity, on_target_deleted: onTargetDeleted })) });
  const ended = (id: string): Promise<void> => until(`${id} has ended`, () => lab.rows().some(({ unit }) => unit.eventId === id));
  const send = (id: string, type: string, payload: Record<string, unknown>): Promise<void> =>
    lab.send([{ id, type, payload: { customer, ...payload } }]);
  /** A customer, and an order that was mapped and is gone. */
  const start = async (onTargetDeleted: 'skip' | 'recreate'): Promise<void> => {
    lab = await runnerLab(policyOf(onTargetDeleted));
    await lab.addRunner();
    await send('evt_c', 'customer.saved', {});
    await send('evt_o', 'order.saved', order);
    await Promise.all([ended('evt_c'), ended('evt_o')]);
    const [deal] = await lab.records('deals');
    await lab.sim('DELETE', `/crm/v3/objects/deals/${deal!.id}`);
  };
  const link = (): Promise<void> => send('evt_link', 'customer.orders', { orders: [{ number: 'N1' }] });
  const order = { number: 'N1', title: 'N1', stage: 'appointmentscheduled', amount: 1 };
  const linked = async (): Promise<string[]> => {
    const orders = await lab.records('deals');
    return orders.filter(({ associations }) => associations.length > 0).map(({ properties }) => properties['description']!);
  };
  const outcome = () => lab.rows().find(({ unit }) => unit.eventId === 'evt_link');

  it('waits for the record to be made anew where the entity says recreate', async () => {
    await start('recreate');
    await link();
    await until('the event stepped aside', () => lab.store.held().some(({ reason }) => reason === 'counterpart'));
    await send('evt_again', 'order.saved', order);
    await ended('evt_link');
    expect(outcome()).toMatchObject({ status: 'completed' });
    expect(await linked()).toEqual(['N1']);
  });

  it('takes the record that has its identity now', async () => {
    await start('skip');
    const properties = { description: 'N1', dealname: 'by hand', dealstage: 'appointmentscheduled' };
    await lab.sim('POST', '/crm/v3/objects/deals', { properties });
    await link();
    await ended('evt_link');
    expect(outcome()).toMatchObject({ status: 'completed' });
    expect(await linked()).toEqual(['N1']);
  });

  it('is quarantined where the entity says skip: the record does not come back', async () => {
    await start('skip');
    await link();
    await ended('evt_link');
    expect(outcome()).toMatchObject({ status: 'quarantined', errorCode: 'target_deleted', attempts: 1 });
  });
});
