import { connectorStatuses, writeCapStates } from '../../../connector-change';
import { createdApiKeySchema, findingSchema, freeObject, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

/** Schemas of a connector as its routes answer it. */

export const connectorMode = { type: 'string', enum: ['live', 'test'] } as const;
const connectorStatus = { type: 'string', enum: [...connectorStatuses] } as const;

export const flowHealth = {
  type: 'object',
  required: ['name', 'state', 'reason', 'detail', 'opened_at', 'retry_after_at', 'cooldown_seconds', 'opens'],
  properties: {
    name: { type: 'string' },
    state: { type: 'string', enum: ['closed', 'open', 'half_open'] },
    reason: { type: ['string', 'null'], enum: ['fatal_streak', 'transient_exhausted_streak', 'failure_rate', 'manual', null] },
    detail: nullableText,
    opened_at: nullableTimestamp,
    retry_after_at: nullableTimestamp,
    cooldown_seconds: { type: ['integer', 'null'] },
    opens: { type: 'integer' },
  },
} as const;

const writeCapSchema = {
  type: ['object', 'null'],
  description: 'The cap of the first sync; null: none applies, or nothing was published yet.',
  required: ['state', 'limit', 'tripped_writes', 'tripped_at'],
  properties: {
    state: { type: 'string', enum: [...writeCapStates] },
    limit: { type: 'integer', description: 'Records after which the connector pauses.' },
    tripped_writes: {
      type: ['integer', 'null'],
      description: 'Records that were written before the release, those in flight at the pause included; null while armed.',
    },
    tripped_at: nullableTimestamp,
  },
} as const;

const healthState = { type: 'string', enum: ['healthy', 'degraded', 'error'] } as const;

const connectorProperties = {
  id: uuid,
  name: { type: 'string' },
  mode: connectorMode,
  status: connectorStatus,
  credential_id: { type: ['string', 'null'] },
  default_store_id: nullableText,
  created_by_id: nullableText,
  created_at: timestamp,
  updated_at: timestamp,
  settings: freeObject,
  active_version: { type: ['integer', 'null'] },
  portal_id: nullableText,
  health: {
    type: 'object',
    required: ['state', 'flows'],
    properties: { state: healthState, flows: { type: 'array', items: flowHealth } },
  },
  write_cap: writeCapSchema,
} as const;

const connectorWarnings = {
  type: 'array', items: findingSchema,
  description: '`journal_offset_expired` until a rebind or until it is confirmed with `resume` of the crm source.',
} as const;

const connectorSchema = {
  type: 'object',
  required: [
    'id',
    'name',
    'mode',
    'status',
    'credential_id',
    'default_store_id',
    'created_by_id',
    'created_at',
    'updated_at',
    'settings',
    'health',
    'write_cap',
  ],
  properties: connectorProperties,
} as const;

export const listedConnector = {
  ...connectorSchema,
  properties: { ...connectorProperties, health: { type: 'object', required: ['state'], properties: { state: healthState } } },
} as const;

/** A single connector, with what its owner should know of it. */
export const readConnectorSchema = {
  ...connectorSchema,
  required: [...connectorSchema.required, 'warnings'],
  properties: { ...connectorProperties, warnings: connectorWarnings },
} as const;

/** A connector as its creation answers it: with its first key, when one was asked for. */
export const createdConnectorSchema = {
  ...connectorSchema, properties: { ...connectorProperties, api_key: createdApiKeySchema },
} as const;
