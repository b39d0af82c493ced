import { entity, eventApi, onto, options, own, type Template, upsert } from '../template';

/** The products of a shop or an ERP, kept up to date in the CRM's product library. */
export const productCatalogue: Template = {
  id: 'product-catalogue',
  name: 'Product catalogue',
  description:
    'Send product.created and product.updated: the product becomes a product of the CRM, unique by its number, with price, costs and ' +
    'availability.',
  config: {
    version: '3.0',
    entities: [
      entity('product', 'products', 'catalogue_number', [
        own('$.payload.sku', 'catalogue_number', 'Catalogue number', { transform: ['to_string', 'trim', 'uppercase'] }),
        onto('$.payload.sku', 'hs_sku', 'to_string', 'trim', 'uppercase'),
        onto('$.payload.name', 'name', 'trim'),
        onto('$.payload.description', 'description', 'strip_html'),
        onto('$.payload.price', 'price', 'to_number', { name: 'round', args: { digits: 2 } }),
        onto('$.payload.costs', 'hs_cost_of_goods_sold', 'to_number'),
        own('$.payload.availability', 'catalogue_availability', 'Availability', options('in_stock', 'on_order', 'discontinued')),
      ]),
    ],
    flows: [{ name: 'products', source: 'event_api', event_type: 'product.*', steps: [upsert('product', 'product')] }],
    sources: eventApi,
  },
  sampleEvents: [
    {
      event: 'product.created',
      recordKey: 'TEA-1',
      data: {
        sku: 'tea-1',
        name: 'Green tea',
        description: '<p>Sencha</p>',
        price: '7.90',
        costs: 3.1,
        availability: 'in_stock',
      },
    },
    { event: 'product.updated', recordKey: 'TEA-1', data: { sku: 'TEA-1', price: 8.4, availability: 'on_order' } },
  ],
};
