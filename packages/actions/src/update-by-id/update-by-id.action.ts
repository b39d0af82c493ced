import { done, failed, permanent } from '@sluice/flow-engine';
import type { PropertyValue } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { idText } from '../shared/id-text';
import { contactEntity } from '../shared/order-examples';
import { entityField, objectTypeField, targetField } from '../shared/record-schemas';

const configSchema = {
  type: 'object',
  required: ['target', 'object_id', 'data'],
  properties: {
    target: targetField,
    entity: { ...entityField, description: 'Entity whose object type the record has.' },
    object_type: objectTypeField,
    object_id: { type: 'string', minLength: 1, 'x-resolve': 'template', description: 'CRM id of the record.' },
    data: {
      type: 'object',
      minProperties: 1,
      'x-resolve': 'properties',
      description: 'Property to value; one whose reference resolves to nothing is not written, null clears the property.',
    },
    mapped_properties_only: {
      type: 'boolean',
      default: false,
      description: "Write only properties that the entity's crm schema maps. Requires entity.",
    },
  },
} as const satisfies StepFieldsSchema;

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const adaUpdated = { external_id: null, crm_id: '501', created: false, updated: true, skipped: false, reason: null };

/** Updates a record whose CRM id is known (docs/reference/steps-and-actions.md, update_by_id, promote_identity). */
export const updateById = defineAction(configSchema)({
  name: 'update_by_id',
  title: 'Update by id',
  description: 'Writes properties to the CRM record of an id, without a search.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'Writes the same values to the same record.',
  repeat: 'again',
  required_checks: [
    { fields: ['target'], message: "update_by_id requires target 'crm'", mode: 'equals', equals: 'crm' },
    { fields: ['entity', 'object_type'], message: 'update_by_id requires entity or object_type', mode: 'any', equals: null },
    { fields: ['object_id', 'data'], message: 'update_by_id requires object_id and data', mode: 'all', equals: null },
    {
      fields: ['mapped_properties_only', 'entity'],
      message: 'mapped_properties_only requires entity',
      mode: 'requires',
      equals: null,
    },
  ],
  limits: [],
  rules: [],
  examples: [
    {
      title: 'The contact that a find step found',
      config: { target: 'crm', entity: 'contact', object_id: '$find.crm_id', data: { firstname: '$.payload.first_name' } },
      given: {
        entities: [contactEntity],
        payload: { first_name: 'Ada' },
        outputs: { find: { found: true, crm_id: '501' } },
        records: [ada],
      },
      expect: { kind: 'done', output: { ...adaUpdated, entity: 'contact' } },
    },
    {
      title: 'A text made of the event',
      config: {
        target: 'crm',
        object_type: 'contacts',
        object_id: '$.payload.contact_id',
        data: { message: 'order {$.payload.id}' },
      },
      given: { entities: [], payload: { contact_id: 501, id: 17 }, records: [ada] },
      expect: { kind: 'done', output: adaUpdated },
    },
    {
      title: 'Nothing was found: nothing is written',
      config: { target: 'crm', entity: 'contact', object_id: '$find.crm_id', data: { firstname: '$.payload.first_name' } },
      given: { entities: [contactEntity], payload: {}, outputs: { find: { found: false, crm_id: null } } },
      expect: { kind: 'done', output: { crm_id: null, skipped: true, reason: 'missing_object_id' } },
    },
  ],
  // Whose record an id is, is not known from the event.
  touches: () => null,
  run: async ({ config, entities, ctx, ports }) => {
    const entity = config.entity === undefined ? undefined : entities.get(config.entity);
    const objectType = config.object_type ?? entity?.objectType;
    if (!objectType) return permanent('unknown_entity', `update_by_id: entity '${config.entity ?? ''}' has no CRM object type`);
    const facts = { entity: entity?.name ?? null, external_id: null };
    const id = idText(config.object_id);
    if (id === null) return done({ ...facts, ...nothing, reason: 'missing_object_id' });
    const mapped = new Set(entity?.crm?.mappings.flatMap(({ target }) => target ?? []));
    const entries = Object.entries(config.data).filter(([name]) => config.mapped_properties_only !== true || mapped.has(name));
    if (entries.length === 0) return done({ ...facts, ...nothing, crm_id: id, reason: 'nothing_to_write' });
    const unfit = entries.find(([, value]) => !isPropertyValue(value));
    if (unfit) return permanent('mapping_failed', `data.${unfit[0]}: a list or an object is no property value`);
    const properties = Object.fromEntries(entries) as Record<string, PropertyValue>;
    const named = entity ?? [...entities.values()].find((one) => one.objectType === objectType);
    const result = await ports.crm.updateById({
      objectType,
      crmId: id,
      properties,
      entity: named?.name ?? null,
      conflicts: named?.arbitration(ctx) ?? null,
    });
    return result.ok ? done({ ...facts, ...result.value }, { wrote: !result.value.skipped }) : failed(result);
  },
});

const nothing = { crm_id: null, created: false, updated: false, skipped: true };

function isPropertyValue(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
