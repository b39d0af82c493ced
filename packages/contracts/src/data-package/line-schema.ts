/** Parts of the schemas of lines: every field is always there, null for no value. */
export const text = { type: 'string' } as const;
export const nullableText = { type: ['string', 'null'] } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const nullableUuid = { type: ['string', 'null'], format: 'uuid' } as const;
/** UTC, with milliseconds: `2026-01-05T10:00:00.000Z`. */
export const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' } as const;
export const nullableTime = { ...time, type: ['string', 'null'] } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const nullableCount = { type: ['integer', 'null'], minimum: 0 } as const;
export const flag = { type: 'boolean' } as const;
export const anyValue = {} as const;
export const object = { type: 'object' } as const;
export const list = { type: 'array' } as const;

/** The schema of a line with exactly these fields. */
export function line<const P extends Readonly<Record<string, object>>>(properties: P) {
  return {
    type: 'object', additionalProperties: false, required: Object.keys(properties) as readonly (keyof P & string)[], properties,
  } as const;
}
