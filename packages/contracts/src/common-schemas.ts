/** Schema parts that many routes share. Spread or reference them in `as const` literals. */

/** Lowercase UUID. */
export const uuidSchema = { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', description: 'A lowercase UUID.' } as const;

/** ISO 8601 with a zone. */
export const timestampSchema = { type: 'string', format: 'date-time', description: 'ISO 8601 timestamp.' } as const;

export const nullableTimestampSchema = { type: ['string', 'null'], format: 'date-time', description: 'ISO 8601 timestamp, or null.' } as const;

/** Names and labels: trimmed by the handler, 1 to 128 characters, at least one of them not blank. */
export const labelSchema = { type: 'string', minLength: 1, maxLength: 128, pattern: '\\S', description: 'A name of 1 to 128 characters; blanks around it do not count.' } as const;

export const emailSchema = { type: 'string', format: 'email', maxLength: 254, description: 'An email address.' } as const;

/** `limit` and `offset` of lists that answer `{items, total}`. */
export const pageQueryProperties = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'How many items, at most 200.' },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'How many items to skip.' },
} as const;

/** `limit` and `cursor` of lists that answer `{items, next_cursor}`. */
export const cursorQueryProperties = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'How many items, at most 200.' },
  cursor: { type: 'string', maxLength: 512, description: '`next_cursor` of the page before.' },
} as const;

/** The answer schema of a list `{items, total}`. */
export function pageSchema<const S extends object>(items: S) {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['items', 'total'],
    properties: { items: { type: 'array', items }, total: { type: 'integer', minimum: 0 } },
  } as const;
}

/** One entry of a 422 answer (docs/reference/errors.md, Validation entries). */
export const validationEntrySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'loc', 'msg', 'input'],
  properties: {
    type: { type: 'string', description: 'Kind of problem, for example `missing`.' },
    loc: { type: 'array', items: { type: ['string', 'integer'] }, description: 'Where: `body`, `query` or `path`, then the path to the field.' },
    msg: { type: 'string', description: 'The problem in words.' },
    input: { description: 'What was given there.' },
  },
} as const;

/** Any error answer. */
export const errorAnswerSchema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'array', items: validationEntrySchema }] },
    request_id: { type: 'string' },
  },
} as const;
