import type { StepRule } from '../action-definition';
import type { ActionLimit } from '../action-limit';
import { done, failed, permanent } from '@sluice/flow-engine';
import type { QueryFilter } from '@sluice/ports';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedField } from '../field-types';
import { contactEntity } from '../shared/order-examples';
import { entityField, objectTypeField, propertiesField, targetField } from '../shared/record-schemas';
import { conditionsOfGroup, propertiesLimit, savedLimit } from '../shared/shared-limits';

const operators = [
  'EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'BETWEEN', 'IN', 'NOT_IN', 'HAS_PROPERTY', 'NOT_HAS_PROPERTY', 'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;

const filters = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['property', 'operator'],
    additionalProperties: false,
    properties: {
      property: { type: 'string', minLength: 1, description: 'Property that is compared.' },
      operator: { type: 'string', enum: operators, description: 'How it is compared.' },
      value: { 'x-resolve': 'template', description: 'Reference or literal; of BETWEEN the lower end.' },
      values: {
        type: ['array', 'string'],
        minItems: 1,
        'x-resolve': 'values',
        description: 'Of IN and NOT_IN: a list, or a reference to one.',
      },
      high_value: { 'x-resolve': 'template', description: 'Of BETWEEN: the upper end.' },
    },
  },
} as const;

const configSchema = {
  type: 'object',
  required: ['target'],
  properties: {
    target: targetField,
    entity: entityField,
    object_type: objectTypeField,
    filters: { ...filters, description: 'Conditions that must all hold.' },
    filter_groups: {
      type: 'array',
      minItems: 1,
      description: 'Groups of conditions, in place of filters: one group must hold.',
      items: {
        type: 'object',
        required: ['filters'],
        additionalProperties: false,
        properties: { filters: { ...filters, description: 'Conditions of the group, which must all hold.' } },
      },
    },
    properties: propertiesField,
    sorts: {
      type: 'array',
      description: 'Order of the rows; the CRM takes one.',
      items: {
        type: 'object',
        required: ['property'],
        additionalProperties: false,
        properties: {
          property: { type: 'string', minLength: 1, description: 'Property to sort by.' },
          direction: { type: 'string', enum: ['ASCENDING', 'DESCENDING'], default: 'ASCENDING', description: 'Direction.' },
        },
      },
    },
    limit: { type: 'integer', minimum: 1, default: 100, description: 'Rows to read; pages are followed.' },
  },
} as const satisfies StepFieldsSchema;

/** Limits of one search in the CRM (docs/reference/crm-api.md, Search). */
const limits: ActionLimit[] = [
  savedLimit('rows', 1_000, 'rows', { fields: ['limit'] }),
  savedLimit('filters', conditionsOfGroup, 'conditions in a group', { fields: ['filters', 'filter_groups[].filters'] }),
  savedLimit('filter_groups', 5, 'groups of conditions'),
  {
    on: 'step', id: 'conditions', max: 18, unit: 'items', what: 'conditions in all groups', checked: ['save'],
    field: 'filter_groups',
    count: ({ filter_groups: groups }) => placedFilters({ filter_groups: groups }).length,
  },
  savedLimit('values', 100, 'values in a condition', {
    fields: ['filters[].values', 'filter_groups[].filters[].values'],
    checked: ['save', 'attempt'],
  }),
  savedLimit('sorts', 1, 'order'),
  propertiesLimit,
];

/** Which fields an operator needs beside the property. */
const fieldsOf = (operator: unknown): string[] => {
  if (operator === 'BETWEEN') return ['value', 'high_value'];
  if (operator === 'IN' || operator === 'NOT_IN') return ['values'];
  return String(operator).endsWith('HAS_PROPERTY') ? [] : ['value'];
};

const operatorsHaveTheirValues: StepRule = {
  fields: ['filters', 'filter_groups'],
  message: 'BETWEEN requires value and high_value, IN and NOT_IN require values, HAS_PROPERTY and NOT_HAS_PROPERTY nothing, others value',
  find: ({ step }) =>
    placedFilters(step).flatMap(({ path, filter }) =>
      fieldsOf(filter.operator)
        .filter((field) => filter[field] === undefined)
        .map((field) => ({
          path: [...path, field], type: 'missing', msg: `operator ${String(filter.operator)} requires ${field}`, input: null,
        })),
    ),
};

/** Every condition that is an object, with its place in the step. */
function placedFilters(step: Record<string, unknown>): { path: (string | number)[]; filter: Record<string, unknown> }[] {
  const groups = Array.isArray(step.filter_groups) ? (step.filter_groups as unknown[]) : [];
  const lists = [
    { path: ['filters'], list: step.filters },
    ...groups.map((group, index) => ({
      path: ['filter_groups', index, 'filters'],
      list: isObject(group) ? group.filters : undefined,
    })),
  ];
  return lists.flatMap(({ path, list }) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((filter, index) =>
      isObject(filter) ? [{ path: [...path, index], filter }] : [],
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const contact = (id: string, properties: Record<string, string>) => ({ objectType: 'contacts', crm_id: id, properties });

/** Searches records by conditions (docs/reference/steps-and-actions.md, query). */
export const query = defineAction(configSchema)({
  name: 'query',
  title: 'Query',
  description: 'Searches CRM records by conditions and gives them as rows.',
  category: 'crm',
  min_version: '3.0',
  effect: 'read',
  uses: ['crm'],
  on_repeat: 'Searches again, as long as the event has changed nothing; then what it found first counts.',
  repeat: 'kept',
  required_checks: [
    { fields: ['target'], message: "query requires target 'crm'", mode: 'equals', equals: 'crm' },
    { fields: ['entity', 'object_type'], message: 'query requires entity or object_type', mode: 'any', equals: null },
    {
      fields: ['filters', 'filter_groups'], message: 'query takes filters or filter_groups, not both',
      mode: 'at_most_one', equals: null,
    },
  ],
  limits,
  rules: [operatorsHaveTheirValues],
  examples: [
    {
      title: 'Contacts of a country, the newest first',
      config: {
        target: 'crm',
        entity: 'contact',
        filters: [{ property: 'country', operator: 'EQ', value: '$.payload.country' }],
        properties: ['email'],
        sorts: [{ property: 'createdate', direction: 'DESCENDING' }],
      },
      given: {
        entities: [contactEntity],
        payload: { country: 'AT' },
        records: [
          contact('501', { email: 'ada@example.com', country: 'AT', createdate: '2026-01-01' }),
          contact('502', { email: 'bob@example.com', country: 'AT', createdate: '2026-01-02' }),
          contact('503', { email: 'cy@example.com', country: 'DE', createdate: '2026-01-03' }),
        ],
      },
      expect: {
        kind: 'done',
        output: {
          rows: [
            { crm_id: '502', properties: { email: 'bob@example.com' } },
            { crm_id: '501', properties: { email: 'ada@example.com' } },
          ],
          count: 2,
          total: 2,
          truncated: false,
        },
      },
    },
    {
      title: 'Deals of two stages, or of some size: the first of them',
      config: {
        target: 'crm',
        object_type: 'deals',
        filter_groups: [
          { filters: [{ property: 'dealstage', operator: 'IN', values: ['won', 'shipped'] }] },
          { filters: [{ property: 'amount', operator: 'BETWEEN', value: 1000, high_value: 5000 }] },
        ],
        limit: 1,
      },
      given: {
        entities: [],
        payload: {},
        records: [
          { objectType: 'deals', crm_id: '7', properties: { dealstage: 'won', amount: '10' } },
          { objectType: 'deals', crm_id: '8', properties: { dealstage: 'lost', amount: '1200' } },
        ],
      },
      expect: { kind: 'done', output: { rows: [{ crm_id: '7', properties: {} }], count: 1, total: 2, truncated: true } },
    },
    {
      title: 'The contacts that a list of the event names',
      config: {
        target: 'crm',
        entity: 'contact',
        filters: [{ property: 'email', operator: 'IN', values: '$.payload.guests[*].mail' }],
      },
      given: {
        entities: [contactEntity],
        payload: { guests: [{ mail: 'ada@example.com' }, { mail: 'bob@example.com' }] },
        records: ['ada', 'bob', 'cy'].map((name, index) => contact(`50${index}`, { email: `${name}@example.com` })),
      },
      expect: {
        kind: 'done',
        output: {
          rows: [
            { crm_id: '500', properties: {} },
            { crm_id: '501', properties: {} },
          ],
          count: 2,
          total: 2,
          truncated: false,
        },
      },
    },
    {
      title: 'A condition whose value is not in the event finds nothing',
      config: {
        target: 'crm',
        entity: 'contact',
        filters: [{ property: 'country', operator: 'EQ', value: '$.payload.country' }],
      },
      given: { entities: [contactEntity], payload: {}, records: [contact('501', { email: 'ada@example.com' })] },
      expect: { kind: 'done', output: { rows: [], count: 0, total: 0, truncated: false } },
    },
  ],
  // A search may find any record, also one that another event of the convoy is about to write.
  touches: () => null,
  run: async ({ config, entities, ports }) => {
    const entity = config.entity === undefined ? undefined : entities.get(config.entity);
    const objectType = config.object_type ?? entity?.objectType;
    if (!objectType) return permanent('unknown_entity', `query: entity '${config.entity ?? ''}' has no CRM object type`);
    const authored = config.filter_groups?.map((group) => group.filters) ?? (config.filters ? [config.filters] : []);
    const filterGroups = authored.flatMap((group) => usableGroup(group));
    if (authored.length > 0 && filterGroups.length === 0) return done({ rows: [], count: 0, total: 0, truncated: false });
    const result = await ports.crm.query({
      objectType,
      filterGroups,
      properties: [...(config.properties ?? [])],
      sorts: (config.sorts ?? []).map(({ property, direction }) => ({ property, direction: direction ?? 'ASCENDING' })),
      limit: config.limit ?? configSchema.properties.limit.default,
    });
    if (!result.ok) return failed(result);
    const { rows, total } = result.value;
    return done({ rows, count: rows.length, total, truncated: total > rows.length });
  },
});

type Condition = ResolvedField<typeof filters>[number];

/** The group for the CRM; null when a condition has no value to compare with, because it cannot match then. */
function usableGroup(group: readonly Condition[]): QueryFilter[][] {
  const usable = group.flatMap((condition) => usableCondition(condition) ?? []);
  return usable.length === group.length ? [usable] : [];
}

function usableCondition({ property, operator, value, values, high_value: high }: Condition): QueryFilter | null {
  const [low, highValue] = [comparable(value), comparable(high)];
  const texts = values?.flat().flatMap((one) => comparable(one) ?? []) ?? [];
  const lacks = [
    [value, low],
    [high, highValue],
    [values, texts[0] ?? null],
  ].some(([given, kept]) => given !== undefined && kept === null);
  if (lacks) return null;
  return {
    property,
    operator,
    ...(low !== null && { value: low }),
    ...(values !== undefined && { values: texts }),
    ...(highValue !== null && { highValue }),
  };
}

/** A value as the CRM compares it; null when there is none. */
function comparable(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
