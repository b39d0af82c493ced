import type { RequiredCheck } from '../action-definition';
import { entityField, targetAndEntity, targetField } from './record-schemas';
import { recordChunkLimit } from './shared-limits';

/** `items` of the actions that work on a list. */
export const itemsField = {
  type: 'string',
  'x-resolve': 'list',
  description: 'Reference to a list: one record per element.',
} as const;

export const chunkSizeField = {
  type: 'integer',
  minimum: 1,
  default: recordChunkLimit.max,
  description: 'Records per call to the CRM.',
} as const;

/** Fields of every bulk write. */
export const bulkFields = {
  target: targetField,
  entity: { ...entityField, description: 'Entity of the records; each element is projected as if it were the payload.' },
  items: { ...itemsField, description: 'Reference to a list: one record per element, which is also $._item.' },
  chunk_size: chunkSizeField,
} as const;

export const bulkLimits = [recordChunkLimit];

/** What every bulk write requires. */
export const bulkChecks = (action: string): RequiredCheck[] => [
  targetAndEntity,
  { fields: ['target'], message: `${action} requires target 'crm'`, mode: 'equals', equals: 'crm' },
  { fields: ['items'], message: `${action} requires items`, mode: 'all', equals: null },
];
