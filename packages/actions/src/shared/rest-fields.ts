/** Fields of the actions that call an HTTP API. */
export const restTargetField = {
  type: 'string',
  minLength: 1,
  description: 'Name of a source of type rest.',
} as const;

export const urlField = {
  type: 'string',
  minLength: 1,
  'x-resolve': 'url',
  description: "Path below the destination's base_url; the values of {$...} are percent-encoded.",
} as const;

export const headersField = {
  type: 'object',
  'x-resolve': 'template',
  description: 'Headers of the request; values may hold references. Credentials do not belong here.',
} as const;
