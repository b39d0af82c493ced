import { compilePath, ExpressionError, parsePath } from '@sluice/flow-engine';
import type { StepCheck } from '../action-definition';
import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { checkFieldsAllowlist, fieldsField } from '../shared/fields-allowlist';
import { canonicalContact } from '../shared/order-examples';
import { entityField } from '../shared/record-schemas';
import { headersField, restTargetField, urlField } from '../shared/rest-fields';

const configSchema = {
  type: 'object',
  required: ['target', 'url'],
  properties: {
    target: restTargetField,
    url: urlField,
    method: {
      type: 'string',
      enum: ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'],
      default: 'POST',
      description: 'Method of the request.',
    },
    body: { 'x-resolve': 'template', description: 'Body of the request, as JSON; without it the projection of entity is sent.' },
    entity: { ...entityField, description: 'Entity whose schema for this destination is projected when there is no body.' },
    fields: { ...fieldsField, description: 'Only these mapping targets are sent. target_template mappings are never filtered.' },
    headers: headersField,
    external_id_from: {
      type: 'string',
      minLength: 2,
      maxLength: 2048,
      description: "JSONPath of the record's id in the answer: saves the identity mapping.",
    },
  },
} as const satisfies StepFieldsSchema;

const targetIsNotTheCrm: StepCheck = ({ step: { target } }) =>
  target === 'crm'
    ? [{ path: ['target'], type: 'value_error', msg: "post calls a REST destination: use upsert for 'crm'", input: target }]
    : [];

const answerPathIsAPath: StepCheck = ({ step: { external_id_from: path } }) => {
  if (typeof path !== 'string') return [];
  try {
    compilePath(parsePath(path));
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [{ path: ['external_id_from'], type: `${error.code}_invalid`, msg: error.message, input: path }];
  }
};

/** Calls a REST destination (docs/reference/steps-and-actions.md, post, notify). */
export const post = describeAction(configSchema)({
  name: 'post',
  title: 'Post',
  description: 'Sends a request to a REST destination, with a given body or with the projection of an entity.',
  category: 'external',
  min_version: '3.0',
  required_checks: [
    { fields: ['target', 'url'], message: 'post requires target and url', mode: 'all', equals: null },
    { fields: ['external_id_from', 'entity'], message: 'external_id_from requires entity', mode: 'requires', equals: null },
    { fields: ['fields', 'entity'], message: 'fields requires entity', mode: 'requires', equals: null },
  ],
  limits: [],
  checks: [targetIsNotTheCrm, answerPathIsAPath, checkFieldsAllowlist({ identityRequired: false, schema: 'destination' })],
  examples: [
    {
      title: 'A contact to the ERP, as its schema says',
      config: { target: 'erp', url: '/customers', entity: 'contact' },
      given: { entities: [canonicalContact], payload: {} },
    },
    {
      title: 'A given body',
      config: {
        target: 'erp',
        url: '/orders/{$.payload.id}/paid',
        method: 'PUT',
        body: { paid_at: '$.payload.paid_at', note: 'paid by {$.payload.method}' },
        headers: { 'X-Request': '{$.payload.id}' },
      },
      given: { entities: [], payload: { id: 17, paid_at: '2026-01-01T00:00:00Z', method: 'card' } },
    },
  ],
});
