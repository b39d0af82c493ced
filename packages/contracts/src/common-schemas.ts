/** Schema parts that many routes share. Spread or reference them in `as const` literals. */

/** Lowercase UUID. */
export const uuidSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'A lowercase UUID.',
} as const;

/** ISO 8601 with a zone. */
export const timestampSchema = { type: 'string', format: 'date-time', description: 'ISO 8601 timestamp.' } as const;

/** One entry of a 422 answer (docs/reference/errors.md, Validation entries). */
export const validationEntrySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'loc', 'msg', 'input'],
  properties: {
    type: { type: 'string', description: 'Kind of problem, for example `missing`.' },
    loc: {
      type: 'array',
      items: { type: ['string', 'integer'] },
      description: 'Where: `body`, `query` or `path`, then the path to the field.',
    },
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
