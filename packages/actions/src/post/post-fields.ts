import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedFields } from '../field-types';
import { fieldsField } from '../shared/fields-allowlist';
import { entityField } from '../shared/record-schemas';
import { headersField, restTargetField, urlField } from '../shared/rest-fields';

export const postSchema = {
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
      description: "JSONPath of the record's id in the answer: saves the identity mapping.",
    },
  },
} as const satisfies StepFieldsSchema;

/** As `run` sees them. */
export type PostFields = ResolvedFields<typeof postSchema>;
