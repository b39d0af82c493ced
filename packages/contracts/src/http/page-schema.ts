export const nullableText = { type: ['string', 'null'] } as const;

/** `limit` and `offset` of every list that pages this way. */
export const pageQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
  },
} as const;

/** A page of `items` with the total. */
export function pageOf<const I extends object>(items: I) {
  return {
    type: 'object',
    required: ['items', 'total'],
    properties: { items: { type: 'array', items }, total: { type: 'integer', minimum: 0 } },
  } as const;
}
