import { done, failed, permanent, type CompiledEntity, type EntityLookup, type StepTouches } from '@sluice/flow-engine';
import type { FindRequest, PropertyValue } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedFields } from '../field-types';
import { recordKeys } from '../shared/record-targets';
import { entityField, objectTypeField, propertiesField, targetField } from '../shared/record-schemas';
import { contactEntity } from '../shared/order-examples';
import { conditionsOfGroup, propertiesLimit, savedLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['target'],
  properties: {
    target: targetField,
    entity: entityField,
    object_type: objectTypeField,
    match: {
      type: 'object',
      minProperties: 1,
      'x-resolve': 'template',
      description: 'Property to reference or literal; all must equal. A reference that resolves to nothing finds nothing.',
    },
    external_id: {
      type: 'string',
      'x-resolve': 'reference',
      description: 'Look the record up through the identity map of the entity.',
    },
    properties: propertiesField,
  },
} as const satisfies StepFieldsSchema;

type ResolvedFind = ResolvedFields<typeof configSchema>;

const nothing = { found: false, crm_id: null, properties: {}, count: 0 };

/** Looks up one CRM record (docs/reference/steps-and-actions.md, find). */
export const find = defineAction(configSchema)({
  name: 'find',
  title: 'Find',
  description: 'Looks a CRM record up by property values, or by external id through the identity map; gives the first match.',
  category: 'crm',
  min_version: '3.0',
  effect: 'read',
  uses: ['crm'],
  on_repeat: 'Reads again, as long as the event has changed nothing; then what it found first counts.',
  repeat: 'kept',
  required_checks: [
    { fields: ['target'], message: "find requires target 'crm'", mode: 'equals', equals: 'crm' },
    { fields: ['entity', 'object_type'], message: 'find requires entity or object_type', mode: 'any', equals: null },
    { fields: ['match', 'external_id'], message: 'find requires match or external_id', mode: 'any', equals: null },
    { fields: ['external_id', 'entity'], message: 'find by external_id requires entity', mode: 'requires', equals: null },
  ],
  limits: [savedLimit('match', conditionsOfGroup, 'properties in match'), propertiesLimit],
  rules: [],
  examples: [
    {
      title: 'A contact by e-mail',
      config: { target: 'crm', entity: 'contact', match: { email: '$.payload.email' }, properties: ['firstname'] },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com' },
        records: [{ objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com', firstname: 'Ada' } }],
      },
      expect: { kind: 'done', output: { found: true, crm_id: '501', properties: { firstname: 'Ada' }, count: 1 } },
    },
    {
      title: 'A contact by its id in the shop',
      config: { target: 'crm', entity: 'contact', external_id: '$.payload.customer_id' },
      given: {
        entities: [contactEntity],
        payload: { customer_id: 7 },
        records: [{ objectType: 'contacts', crm_id: '501', properties: {}, mapped: { entity: 'contact', externalId: '7' } }],
      },
      expect: { kind: 'done', output: { found: true, crm_id: '501', properties: {}, count: 1 } },
    },
    {
      title: 'Nothing to look for',
      config: { target: 'crm', object_type: 'contacts', match: { email: '$.payload.email' } },
      given: { entities: [], payload: {} },
      expect: { kind: 'done', output: { found: false, crm_id: null, properties: {}, count: 0 } },
    },
  ],
  touches: ({ config, entities }) => {
    const entity = config.entity === undefined ? undefined : entities.get(config.entity);
    if (config.external_id !== undefined)
      return entity ? { writes: [], reads: recordKeys(entity.targetOf(config.external_id)) } : null;
    return touchesOfSearch(config, config.object_type ?? entity?.objectType ?? null, entities);
  },
  run: async ({ config, entities, ports }) => {
    const entity = config.entity === undefined ? undefined : entities.get(config.entity);
    const objectType = config.object_type ?? entity?.objectType;
    if (!objectType) return permanent('unknown_entity', `find: entity '${config.entity ?? ''}' has no CRM object type`);
    const request = requestOf(config, objectType, entity);
    if (request === null) return done(nothing);
    const result = await ports.crm.find(request);
    if (!result.ok) return failed(result);
    const { record, count } = result.value;
    return done(record ? { found: true, ...record, count } : { ...nothing, count });
  },
});

/**
 * A search by the identity property of all entities of the type can only find the record with that identity. A search by other
 * values may find any record, also one that another event of the convoy is about to write.
 */
function touchesOfSearch({ match = {} }: ResolvedFind, objectType: string | null, entities: EntityLookup): StepTouches | null {
  const peers = [...entities.values()].filter((entity) => entity.objectType === objectType);
  const [property, ...others] = Object.keys(match);
  if (property === undefined || others.length > 0 || peers.length === 0) return null;
  if (!peers.every(({ identityProperty }) => identityProperty === property)) return null;
  return { writes: [], reads: recordKeys({ ...peers[0]!.targetOf(match[property]), externalId: null }) };
}

/** null when there is no value to look for: the CRM would be asked for everything. */
function requestOf(config: ResolvedFind, objectType: string, entity: CompiledEntity | undefined): FindRequest | null {
  const properties = [...(config.properties ?? [])];
  if (config.external_id !== undefined && entity) {
    const { externalId } = entity.targetOf(config.external_id);
    return externalId === null ? null : { objectType, match: {}, through: { entity: entity.name, externalId }, properties };
  }
  const match = config.match ?? {};
  const usable = Object.values(match).every((value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '');
  return usable && Object.keys(match).length > 0
    ? { objectType, match: match as Record<string, PropertyValue>, properties }
    : null;
}
