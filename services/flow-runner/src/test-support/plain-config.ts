import type { ConfigDocument, Entity, Flow, Step } from '@sluice/contracts';

type Identity = NonNullable<Entity['schemas']['crm']>['identity'];

/** An entity of the CRM whose properties are named like the fields of the payload; the first one is its identity. */
export const plainEntity = (
  name: string, objectType: string, fields: readonly [string, ...string[]], identity: Omit<Identity, 'property'> = {},
): Entity => ({
  name,
  schemas: {
    crm: {
      object_type: objectType,
      identity: { property: fields[0], ...identity },
      field_mappings: fields.map((field) => ({ source: `$.payload.${field}`, target: field })),
    },
  },
});

/** A flow of one step, named like the type of its events. */
export const plainFlow = (eventType: string, step: Omit<Step, 'id'>): Flow => ({
  name: eventType, source: 'event_api', event_type: eventType, steps: [{ id: 'it', ...step } as Step],
});

/** A flow that writes one entity of the CRM. */
export const writingFlow = (eventType: string, action: string, entity: string): Flow =>
  plainFlow(eventType, { action, target: 'crm', entity });

/** A document of these entities and flows, for events of the API. */
export const plainConfig = (entities: Entity[], flows: Flow[]): ConfigDocument => ({
  version: '3.1', entities, flows, sources: [{ name: 'event_api', type: 'event_api' }], settings: {},
});
