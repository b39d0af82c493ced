/** Settings of a connector, and of a config: these keys are checked, others are kept. */
export const knownSettings = {
  type: 'object',
  additionalProperties: true,
  properties: {
    ordering: {
      type: 'string',
      enum: ['record', 'connector'],
      default: 'record',
      description: '`connector` opts out of per-record ordering. A change takes effect once all accepted before has settled.',
    },
    plugin_overrides: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['version'],
        additionalProperties: false,
        properties: {
          function_arn: { type: 'string', description: 'Default: the function that the organization shares.' },
          version: { anyOf: [{ type: 'integer', minimum: 1 }, { const: '$LATEST' }] },
        },
      },
    },
    crm_provisioning: {
      type: 'object',
      additionalProperties: false,
      properties: {
        property_group: { type: 'string', minLength: 1 },
        property_group_label: { type: 'string', minLength: 1 },
        property_prefix: { type: 'string' },
      },
    },
  },
} as const;
