import { done, failed, permanent } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { savedLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['form_id', 'fields'],
  properties: {
    form_id: { type: 'string', minLength: 1, 'x-resolve': 'template', description: 'Id of the form.' },
    fields: {
      type: 'array',
      minItems: 1,
      description: 'Values of the fields of the form.',
      items: {
        type: 'object',
        required: ['name', 'value'],
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, description: 'Name of the field.' },
          value: { 'x-resolve': 'template', description: 'Reference or literal.' },
          object_type: { type: 'string', minLength: 1, description: 'Object type of the field; default: contacts.' },
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
export const submitForm = defineAction(configSchema)({
  name: 'submit_form',
  title: 'Submit form',
  description: 'Submits a form of the CRM with values of the event.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['files'],
  on_repeat: 'What the event has submitted is not submitted again, while that is remembered; a submission without an answer is.',
  repeat: 'kept',
  required_checks: [
    { fields: ['form_id', 'fields'], message: 'submit_form requires form_id and fields', mode: 'all', equals: null },
  ],
  limits: [savedLimit('fields', 1000, 'fields')],
  rules: [],
  examples: [
    {
      title: 'A newsletter form',
      config: { form_id: '6f1c1b2e', fields: [{ name: 'email', value: '$.payload.email' }] },
      given: { entities: [], payload: { email: 'ada@example.com' } },
      expect: {
        kind: 'done',
        output: { submitted: true, redirect_uri: null, inline_message: 'Thanks for submitting the form.' },
      },
    },
    {
      title: 'With the page it was filled in on',
      config: {
        form_id: '6f1c1b2e',
        fields: [{ name: 'email', value: '$.payload.email', object_type: 'contacts' }],
        context: { page_uri: '$.payload.page', page_name: 'Sign up' },
      },
      given: { entities: [], payload: { email: 'ada@example.com', page: 'https://example.com/signup' } },
      expect: { kind: 'done', output: { submitted: true } },
    },
  ],
  // The record that a form writes is known to the CRM alone.
  touches: () => null,
  run: async ({ config, stepId, ports: { files } }) => {
    const formId = textOf(config.form_id);
    if (formId === null) return permanent('mapping_failed', 'submit_form: form_id resolves to nothing');
    const context = config.context ?? {};
    const consent: unknown = config.consent;
    const result = await files.submitForm({
      formId,
      stepId,
      fields: config.fields.flatMap(({ name, value, object_type: objectType }) => {
        const text = textOf(value);
        return text === null ? [] : [{ objectTypeId: objectType ?? 'contacts', name, value: text }];
      }),
      context: given({
        pageUri: textOf(context.page_uri),
        pageName: textOf(context.page_name),
        hutk: textOf(context.hutk),
        ipAddress: textOf(context.ip_address),
      }),
      consent: consent !== null && typeof consent === 'object' ? (consent as Record<string, unknown>) : null,
    });
    return result.ok ? done({ ...result.value }, { wrote: true }) : failed(result);
  },
});

/** A value as a form takes it: several ones are joined as the CRM joins them. null: there is none. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return textOf(value.flatMap((one) => textOf(one) ?? []).join(';'));
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

const given = (values: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));
