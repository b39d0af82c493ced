import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { savedLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  properties: {
    plugin: {
      type: 'object',
      additionalProperties: false,
      description: 'The plugin and its config. A publish adds the fields that its resolution gives.',
      properties: {
        logical_name: { type: 'string', minLength: 1, description: 'Name of the plugin.' },
        config: { type: 'object', 'x-resolve': 'template', description: 'Config of the plugin; values may hold references.' },
        function_arn: { type: 'string', description: 'Set at publish: the function that is called.' },
        version: { type: ['integer', 'string', 'null'], description: 'Set at publish: version of the function.' },
        capabilities: { type: 'object', description: 'Set at publish: what the plugin may use.' },
      },
    },
    logical_name: { type: 'string', minLength: 1, description: 'Short form of plugin.logical_name.' },
    config: { type: 'object', 'x-resolve': 'template', description: 'Short form of plugin.config.' },
  },
} as const satisfies StepFieldsSchema;

/** Runs custom code (docs/reference/steps-and-actions.md, plugin). */
export const plugin = describeAction(configSchema)({
  name: 'plugin',
  title: 'Plugin',
  description: 'Runs a plugin; its result is the output of the step. It never writes to the CRM itself.',
  category: 'logic',
  min_version: '3.0',
  required_checks: [
    { fields: ['plugin', 'logical_name'], message: 'plugin requires logical_name', mode: 'any', equals: null },
    { fields: ['plugin', 'plugin.logical_name'], message: 'plugin requires logical_name', mode: 'requires', equals: null },
  ],
  limits: [
    savedLimit('logical_name', 128, 'in logical_name', { unit: 'characters', fields: ['logical_name', 'plugin.logical_name'] }),
  ],
  rules: [],
  examples: [
    {
      title: 'A score of the customer',
      config: { plugin: { logical_name: 'score', config: { email: '$.payload.email' } } },
      given: { entities: [], payload: { email: 'ada@example.com' } },
    },
    {
      title: 'The short form',
      config: { logical_name: 'tax-code', config: { country: '{$.payload.country}' } },
      given: { entities: [], payload: { country: 'AT' } },
    },
  ],
});
