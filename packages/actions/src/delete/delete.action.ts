import type { StepCheck } from '../action-definition';
import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { entityField, targetField, unreadDataField } from '../shared/record-schemas';
import { headersField, urlField } from '../shared/rest-fields';

const configSchema = {
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

/** Where the external id stands in the URL of a REST delete. */
const idPlace = '{external_id}';

const restUrlNamesTheRecord: StepCheck = ({ step: { target, url } }) => {
  if (typeof target !== 'string' || target === '' || target === 'crm') return [];
  if (url === undefined)
    return [{ path: ['url'], type: 'missing', msg: 'delete against a REST destination requires url', input: null }];
  if (typeof url === 'string' && url.includes(idPlace)) return [];
  return [{ path: ['url'], type: 'value_error', msg: `url of a REST delete must contain ${idPlace}`, input: url }];
};

/** Deletes a CRM record, or a record of a REST destination (docs/reference/steps-and-actions.md, delete). */
export const deleteAction = describeAction(configSchema)({
  name: 'delete',
  title: 'Delete',
  description: 'Deletes the CRM record of an external id, or calls a REST destination with the external id of a CRM record.',
  category: 'crm',
  min_version: '3.0',
  required_checks: [{ fields: ['target', 'entity'], message: 'step requires target and entity', mode: 'all', equals: null }],
  limits: [],
  checks: [restUrlNamesTheRecord],
  examples: [
    {
      title: 'A customer who left the shop',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com' } },
    },
    {
      title: 'A contact deleted in the CRM is deleted in the shop',
      config: { target: 'shop', entity: 'contact', url: '/customers/{external_id}' },
      given: { entities: [contactEntity], payload: { object: { id: '501' } } },
    },
  ],
});
