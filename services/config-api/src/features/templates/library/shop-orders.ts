import { associate, entity, eventApi, number, onto, options, own, personEntity, type Template, upsert } from '../template';

const buyer = upsert('buyer', 'customer');
const deal = upsert('deal', 'order');

/** Orders of a shop become deals of the customers who placed them. */
export const shopOrders: Template = {
  id: 'shop-orders',
  name: 'Shop orders to contacts and deals',
  description:
    'Send order.placed, order.paid, order.shipped and order.cancelled: the customer becomes a contact (unique by e-mail), the order a ' +
    'deal (unique by its number) of that contact, and the state of the order the stage of the deal.',
  config: {
    version: '3.0',
    entities: [
      personEntity(
        'customer',
        '$.payload.customer',
        onto('$.payload.first_name', 'firstname', 'trim'),
        onto('$.payload.last_name', 'lastname', 'trim'),
        onto('$.payload.phone', 'phone', 'trim'),
      ),
      entity(
        'order',
        'deals',
        'shop_order_number',
        [
          own('$.payload.number', 'shop_order_number', 'Shop order number', { transform: ['to_string'] }),
          onto('$.payload.number', 'dealname', 'to_string', { name: 'prefix', args: { text: 'Order ' } }),
          onto('$.payload.total', 'amount', 'to_number', { name: 'round', args: { digits: 2 } }),
          onto('$.payload.placed_at', 'closedate', 'to_datetime'),
          onto('$.payload.status', 'dealstage', {
            name: 'map_values',
            args: {
              values: { placed: 'appointmentscheduled', paid: 'contractsent', shipped: 'closedwon', cancelled: 'closedlost' },
            },
          }),
          own('$.payload.lines[*].quantity', 'shop_item_count', 'Shop item count', { ...number, transform: ['sum'] }),
          own('$.payload.channel', 'shop_channel', 'Shop channel', options('web', 'phone', 'marketplace')),
        ],
        { payload_root: '$.payload.order' },
      ),
    ],
    flows: [
      { name: 'orders', source: 'event_api', event_type: 'order.*', steps: [buyer, deal, associate('placed_by', deal, buyer)] },
    ],
    sources: eventApi,
  },
  sampleEvents: [
    {
      event: 'order.placed',
      recordKey: 'SO-1001',
      data: {
        customer: { email: 'Ada@Shop.example', first_name: 'Ada', last_name: 'Byron' },
        order: {
          number: 'SO-1001',
          status: 'placed',
          total: '42.50',
          placed_at: '2026-03-01T09:30:00Z',
          channel: 'web',
          lines: [
            { sku: 'TEA-1', quantity: 2 },
            { sku: 'CUP-4', quantity: 1 },
          ],
        },
      },
    },
    {
      event: 'order.shipped',
      recordKey: 'SO-1001',
      data: { customer: { email: 'ada@shop.example' }, order: { number: 'SO-1001', status: 'shipped' } },
    },
  ],
};
