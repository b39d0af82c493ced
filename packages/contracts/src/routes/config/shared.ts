/** Schema parts that several config-plane routes share. */
import { nullableText } from '../../http/page-schema';

export { nullableText, pageOf, pageQuery } from '../../http/page-schema';

/**
 * Query parameters that an authorization server gives back are printable ASCII (RFC 6749, appendix A). Their limits keep the
 * request line, in which each character may take three, within what a server reads.
 */
const printable = (maxLength: number) => ({ type: 'string', pattern: '^[\\x20-\\x7e]*$', maxLength }) as const;
export const authorizationAnswer = { code: printable(2_048), state: printable(512), error: printable(256) } as const;

/** Ids are lowercase UUIDs; anything else in a path is simply not found, so it is not refused here. */
export const idText = { type: 'string', maxLength: 64 } as const;

export const uuid = { type: 'string', format: 'uuid' } as const;

/** Names and labels: 1 to 128 characters once trimmed. */
export const nameText = {
  type: 'string',
  pattern: '^\\s*\\S(?:[\\s\\S]{0,126}\\S)?\\s*$',
  description: '1 to 128 characters; spaces at the ends are dropped.',
} as const;

export const emailText = {
  type: 'string', format: 'email', maxLength: 254,
  description: 'Spaces at the ends are dropped; upper and lower case are the same.',
} as const;

/** A password that is chosen. Too short or too common a one is answered with 400, not with a 422. */
export const newPassword = {
  type: 'string',
  maxLength: 128,
  description: '10 to 128 characters, none of the most common passwords, not made of the address or the organization.',
} as const;

/** A password that is compared. */
export const presentPassword = { type: 'string', maxLength: 128 } as const;

/**
 * Limits of bodies in bytes: for what is read before anything is known of the caller, for what is small by nature, and for
 * what is not. A body that is far over what a route can mean is refused before it costs anything; a text that is too long for
 * its field is still told so.
 */
export const bodyLimits = { stranger: 8 * 1024, small: 64 * 1024, medium: 256 * 1024 } as const;

export const timestamp = { type: 'string', format: 'date-time' } as const;
export const nullableTimestamp = { type: ['string', 'null'], format: 'date-time' } as const;
export const freeObject = { type: 'object', additionalProperties: true } as const;

export const connectorParams = {
  type: 'object', required: ['connector_id'], properties: { connector_id: idText },
} as const;

export const syncEventParams = {
  type: 'object', required: ['connector_id', 'sync_event_id'], properties: { connector_id: idText, sync_event_id: idText },
} as const;

/** A key as lists show it: never the key itself. */
export const apiKeySchema = {
  type: 'object',
  required: ['id', 'label', 'is_active', 'created_at', 'last_used_at', 'expires_at'],
  additionalProperties: false,
  properties: {
    id: uuid, label: { type: 'string' }, is_active: { type: 'boolean' },
    created_at: timestamp, last_used_at: nullableTimestamp, expires_at: nullableTimestamp,
  },
} as const;

/** A key as its creation answers it: `raw_key` is shown this once. */
export const createdApiKeySchema = {
  ...apiKeySchema,
  required: [...apiKeySchema.required, 'raw_key'],
  properties: { ...apiKeySchema.properties, raw_key: { type: 'string', description: 'The key itself. Shown once.' } },
} as const;

export const deleted = { description: 'Gone.' } as const;

/** Codes and fields of a finding: every key present, null where empty. */
export const findingSchema = {
  type: 'object',
  required: ['severity', 'code', 'message', 'field', 'suggestion', 'entity', 'event_flow', 'reauthorize_scopes'],
  properties: {
    severity: { type: 'string', enum: ['error', 'warning', 'info'] }, code: { type: 'string' }, message: { type: 'string' },
    field: nullableText, suggestion: nullableText, entity: nullableText, event_flow: nullableText,
    reauthorize_scopes: { type: ['array', 'null'], items: { type: 'string' } },
  },
} as const;

/** What provisioning did for one entity, or one pipeline. */
export const provisionedSchema = {
  type: 'object', required: ['entity', 'object_type', 'created', 'skipped_existing'],
  properties: {
    entity: { type: 'string', description: 'Name of the entity, or `pipeline:<label>`.' },
    object_type: { type: 'string' },
    created: { type: 'array', items: { type: 'string' }, description: 'Names of properties; of a pipeline, labels of stages.' },
    skipped_existing: { type: 'array', items: { type: 'string' } },
  },
} as const;
