import type { ConfigDocument, Entity, FieldMapping, Step } from '@sluice/contracts';

/** An event as the source system would send it. */
export interface SampleEvent {
  event: string;
  recordKey: string;
  data: Record<string, unknown>;
}

/** A config to start from. It publishes as it is on a portal with the standard object types. */
export interface Template {
  /** Never changed once released, because links and scripts contain it. */
  id: string;
  name: string;
  description: string;
  config: ConfigDocument;
  /** Events that show what it does; the end-to-end test sends them. */
  sampleEvents: readonly SampleEvent[];
}

/** A property that the portal does not have by itself: created at publish. */
export const own = (
  source: string,
  target: string,
  label: string,
  more: Partial<FieldMapping> = {},
): FieldMapping => ({ source, target, crm_label: label, ...more });

/** A mapping onto a property that every portal has. */
export const onto = (source: string, target: string, ...transform: NonNullable<FieldMapping['transform']>): FieldMapping =>
  ({ source, target, ...(transform.length > 0 && { transform }) });

/** Values of the source system, one option each; their labels are the values with a capital letter. */
export const options = (...values: string[]): Pick<FieldMapping, 'crm_type' | 'crm_field_type' | 'crm_options'> => ({
  crm_type: 'enumeration',
  crm_field_type: 'select',
  crm_options: values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ') })),
});

export const number = { crm_type: 'number', crm_field_type: 'number' } as const;

/** Records of one standard type, each known by one property. */
export const entity = (
  name: string, objectType: string, identity: string, fieldMappings: FieldMapping[], more: Partial<Entity> = {},
): Entity => ({
  name,
  ...more,
  schemas: {
    crm: {
      object_type: objectType, identity: { strategy: 'match_or_create', property: identity }, field_mappings: fieldMappings,
    },
  },
});

/** A person below a part of the payload, unique by e-mail. */
export const personEntity = (name: string, payloadRoot: string, ...more: FieldMapping[]): Entity =>
  entity(name, 'contacts', 'email', [onto('$.payload.email', 'email', 'normalize_email'), ...more], {
    payload_root: payloadRoot,
  });

export const upsert = (id: string, entity: string, more: Partial<Step> = {}): Step =>
  ({ id, action: 'upsert', target: 'crm', entity, ...more });

/** Associates the records of two upserts of the same flow. */
export const associate = (id: string, from: Step, to: Step, more: Partial<Step> = {}): Step => ({
  id, action: 'associate', target: 'crm',
  from_entity: from.entity, from_external_id: `$${from.id}.external_id`,
  to_entity: to.entity, to_external_id: `$${to.id}.external_id`, ...more,
});

/** Where the events of most templates come from. */
export const eventApi: ConfigDocument['sources'] = [{ name: 'event_api', type: 'event_api', config: {} }];
