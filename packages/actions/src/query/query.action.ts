import type { StepCheck } from '../action-definition';
import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { entityField, objectTypeField, propertiesField, targetField } from '../shared/record-schemas';

const operators = [
  'EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'BETWEEN', 'IN', 'NOT_IN', 'HAS_PROPERTY', 'NOT_HAS_PROPERTY', 'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;

const filters = {
  type: 'array',
  minItems: 1,
  maxItems: 6,
  items: {
    type: 'object',
    required: ['property', 'operator'],
    additionalProperties: false,
    properties: {
      property: { type: 'string', minLength: 1, description: 'Property that is compared.' },
      operator: { type: 'string', enum: operators, description: 'How it is compared.' },
      value: { 'x-resolve': 'template', description: 'Reference or literal; of BETWEEN the lower end.' },
      values: { type: 'array', minItems: 1, maxItems: 100, 'x-resolve': 'template', description: 'Of IN and NOT_IN.' },
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
      maxItems: 5,
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
      maxItems: 1,
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
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Rows to read; pages are followed.' },
  },
} as const satisfies StepFieldsSchema;

const conditionsInAll = 18;

const oneKindOfFilter: StepCheck = ({ step: { filters: own, filter_groups: groups } }) => {
  if (own !== undefined && groups !== undefined)
    return [{ path: ['filter_groups'], type: 'value_error', msg: 'query takes filters or filter_groups, not both', input: null }];
  const count = placedFilters({ filter_groups: groups }).length;
  if (count <= conditionsInAll) return [];
  const msg = `query takes at most ${conditionsInAll} conditions, not ${count}`;
  return [{ path: ['filter_groups'], type: 'value_error', msg, input: null }];
};

/** Which fields an operator needs beside the property. */
const fieldsOf = (operator: unknown): string[] => {
  if (operator === 'BETWEEN') return ['value', 'high_value'];
  if (operator === 'IN' || operator === 'NOT_IN') return ['values'];
  return String(operator).endsWith('HAS_PROPERTY') ? [] : ['value'];
};

const operatorsHaveTheirValues: StepCheck = ({ step }) =>
  placedFilters(step).flatMap(({ path, filter }) =>
    fieldsOf(filter.operator)
      .filter((field) => filter[field] === undefined)
      .map((field) => ({
        path: [...path, field],
        type: 'missing',
        msg: `operator ${String(filter.operator)} requires ${field}`,
        input: null,
      })),
  );

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

/** Searches records by conditions (docs/reference/steps-and-actions.md, query). */
export const query = describeAction(configSchema)({
  name: 'query',
  title: 'Query',
  description: 'Searches CRM records by conditions and gives them as rows.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [
    { fields: ['target'], message: "query requires target 'crm'", mode: 'equals', equals: 'crm' },
    { fields: ['entity', 'object_type'], message: 'query requires entity or object_type', mode: 'any', equals: null },
  ],
  limits: [
    { id: 'rows', text: 'At most 1000 rows.' },
    { id: 'filters', text: 'At most 5 groups of 6 conditions, 18 conditions in all.' },
  ],
  checks: [oneKindOfFilter, operatorsHaveTheirValues],
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
      given: { entities: [contactEntity], payload: { country: 'AT' } },
    },
    {
      title: 'Deals of one of two stages',
      config: {
        target: 'crm',
        object_type: 'deals',
        filter_groups: [
          { filters: [{ property: 'dealstage', operator: 'IN', values: ['won', 'shipped'] }] },
          { filters: [{ property: 'amount', operator: 'BETWEEN', value: 1000, high_value: 5000 }] },
        ],
        limit: 500,
      },
      given: { entities: [], payload: {} },
    },
  ],
});
