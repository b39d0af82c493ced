import type { ConfigDocument } from '@sluice/contracts';

/** One flow that writes one order. */
export const tinyConfig: ConfigDocument = {
  version: '3.1',
  entities: [
    {
      name: 'order',
      schemas: {
        crm: {
          object_type: 'deals',
          identity: { property: 'number' },
          field_mappings: [
            { source: '$.payload.number', target: 'number' },
            { source: '$.payload.title', target: 'dealname' },
          ],
        },
      },
    },
  ],
  flows: [
    {
      name: 'orders',
      source: 'event_api',
      event_type: 'order.*',
      steps: [{ id: 'order', action: 'upsert', target: 'crm', entity: 'order' }],
    },
  ],
  sources: [{ name: 'event_api', type: 'event_api' }],
  settings: {},
};
