import type { StepFieldsSchema } from '../field-schema';
import type { ResolvedFields } from '../field-types';
import { entityField, targetField, unreadDataField } from '../shared/record-schemas';
import { headersField, urlField } from '../shared/rest-fields';

export const deleteSchema = {
  type: 'object',
  required: ['target', 'entity'],
  properties: {
    target: { ...targetField, description: '`crm`, or the name of a source of type rest.' },
    entity: entityField,
    data: unreadDataField,
    url: { ...urlField, description: 'REST only: path that contains {external_id}; may hold references as {$...}.' },
    method: {
      type: 'string',
      enum: ['DELETE', 'POST', 'PATCH', 'PUT'],
      default: 'DELETE',
      description: 'REST only: method of the request, which has no body.',
    },
    headers: { ...headersField, description: 'REST only: headers of the request; values may hold references.' },
  },
} as const satisfies StepFieldsSchema;

/** As `run` sees them. */
export type DeleteFields = ResolvedFields<typeof deleteSchema>;
