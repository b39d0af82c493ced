import { functionLogLevels } from '../../../plugins/plugin-run';
import { hookStatuses, hookTypes, pluginStatuses } from '../../../plugins/plugin-states';
import { idText, nullableText, nullableTimestamp, timestamp, uuid } from '../shared';

export const pluginParams = { type: 'object', required: ['plugin_id'], properties: { plugin_id: idText } } as const;

/** Size of what is pushed, in bytes. */
export const pluginLimits = { bundleBytes: 5 * 1024 * 1024, sourceBytes: 2 * 1024 * 1024 } as const;

export const capabilitiesSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    http: { type: 'array', items: { type: 'string' }, description: 'Hosts: a name, or `*.name` for its subdomains.' },
    store: { type: 'array', items: { type: 'string', enum: ['read', 'write'] } },
    auth: { type: 'array', items: { type: 'string' }, description: 'Names of `rest` sources.' },
  },
} as const;

/** As it is taken; the handler reads both forms and names what is wrong. */
export const givenCapabilities = {
  description: 'An object of namespaces (`http`, `store`, `auth`), each with its list; or a flat list of `namespace:value`. '
    + 'Kept as the object. What is absent is not granted.',
} as const;

/** A number, or `$LATEST`. */
export const functionVersion = { type: ['integer', 'string'], description: 'A number, or `$LATEST`.' } as const;

export const pluginSchema = {
  type: 'object',
  required: [
    'id', 'name', 'status', 'capabilities', 'staging_version', 'live_version', 'function_arn', 'error_message', 'bundle_sha256',
    'has_source', 'has_bundle', 'last_deployed_at', 'setup_completed_at', 'created_at', 'updated_at',
  ],
  additionalProperties: false,
  properties: {
    id: uuid, name: { type: 'string' }, status: { type: 'string', enum: [...pluginStatuses] }, capabilities: capabilitiesSchema,
    staging_version: { type: ['integer', 'null'] }, live_version: { type: ['integer', 'null'] },
    function_arn: { ...nullableText, description: 'The function that was deployed last.' },
    error_message: { ...nullableText, description: 'Why the last operation or hook failed; never a stack trace.' },
    bundle_sha256: { ...nullableText, description: 'Of what was pushed last.' },
    has_source: { type: 'boolean' }, has_bundle: { type: 'boolean' },
    last_deployed_at: nullableTimestamp, setup_completed_at: nullableTimestamp, created_at: timestamp, updated_at: timestamp,
  },
} as const;

export const hookSchema = {
  type: 'object',
  required: [
    'id', 'plugin_id', 'connector_id', 'hook_type', 'cycle', 'status', 'invoked_at', 'completed_at', 'response', 'error',
  ],
  additionalProperties: false,
  properties: {
    id: uuid, plugin_id: uuid, connector_id: uuid, hook_type: { type: 'string', enum: [...hookTypes] },
    cycle: { type: 'integer', minimum: 1 }, status: { type: 'string', enum: [...hookStatuses] },
    invoked_at: nullableTimestamp, completed_at: nullableTimestamp,
    response: { description: 'What the handler returned; null before that.' }, error: nullableText,
  },
} as const;

export const logLevel = { type: 'string', enum: [...functionLogLevels] } as const;

export const logLineSchema = {
  type: 'object', required: ['at', 'level', 'message'], additionalProperties: false,
  properties: { at: timestamp, level: logLevel, message: { type: 'string' } },
} as const;
