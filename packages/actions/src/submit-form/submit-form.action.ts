import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';


const configSchema = {
  type: 'object',
  required: ['form_id', 'fields'],
  properties: {
    form_id: { type: 'string', minLength: 1, 'x-resolve': 'template', description: 'Id of the form.' },
    fields: {
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      description: 'Values of the fields of the form.',
      items: {
        type: 'object',
        required: ['name', 'value'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, description: 'Name of the field.' },
          value: { 'x-resolve': 'template', description: 'Reference or literal.' },
          object_type: { type: 'string', minLength: 1, description: 'Object type of the field.' },
        },
      },
    },
    context: {
      type: 'object',
      additionalProperties: false,
      description: 'Where the form was filled in.',
      properties: {
        page_uri: { type: 'string', 'x-resolve': 'template', description: 'Address of the page.' },
        page_name: { type: 'string', 'x-resolve': 'template', description: 'Name of the page.' },
        hutk: { type: 'string', 'x-resolve': 'template', description: "The visitor's tracking cookie." },
        ip_address: { type: 'string', 'x-resolve': 'template', description: "The visitor's address." },
      },
    },
    consent: { type: 'object', 'x-resolve': 'template', description: 'Legal consent options of the submission.' },
  },
} as const satisfies StepFieldsSchema;

/** Submits a form of the CRM (docs/reference/steps-and-actions.md, files and forms). */
export const submitForm = describeAction(configSchema)({
  name: 'submit_form',
  title: 'Submit form',
  description: 'Submits a form of the CRM with values of the event.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [
    { fields: ['form_id', 'fields'], message: 'submit_form requires form_id and fields', mode: 'all', equals: null },
  ],
  limits: [],
  checks: [],
  examples: [
    {
      title: 'A newsletter form',
      config: { form_id: '6f1c1b2e', fields: [{ name: 'email', value: '$.payload.email' }] },
      given: { entities: [], payload: { email: 'ada@example.com' } },
    },
    {
      title: 'With the page it was filled in on',
      config: {
        form_id: '6f1c1b2e',
        fields: [{ name: 'email', value: '$.payload.email', object_type: 'contacts' }],
        context: { page_uri: '$.payload.page', page_name: 'Sign up' },
      },
      given: { entities: [], payload: { email: 'ada@example.com', page: 'https://example.com/signup' } },
    },
  ],
});
