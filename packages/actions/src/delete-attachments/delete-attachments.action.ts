import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { entityField } from '../shared/record-schemas';

const configSchema = {
  type: 'object',
  required: ['entity', 'external_id'],
  properties: {
    entity: { ...entityField, description: 'Entity of the record.' },
    external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id of the record.' },
    filename: { type: 'string', minLength: 1, maxLength: 256, 'x-resolve': 'template', description: 'Only files of this name.' },
  },
} as const satisfies StepFieldsSchema;

/** Removes files that are attached to a record (docs/reference/steps-and-actions.md, files and forms). */
export const deleteAttachments = describeAction(configSchema)({
  name: 'delete_attachments',
  title: 'Delete attachments',
  description: 'Deletes the notes of a record that carry files, and the files.',
  category: 'files',
  min_version: '3.0',
  required_checks: [
    {
      fields: ['entity', 'external_id'],
      message: 'delete_attachments requires entity and external_id',
      mode: 'all',
      equals: null,
    },
  ],
  limits: [],
  checks: [],
  examples: [
    {
      title: 'All files of a customer',
      config: { entity: 'contact', external_id: '$.payload.email' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com' } },
    },
    {
      title: 'One invoice',
      config: { entity: 'contact', external_id: '$.payload.email', filename: 'invoice-{$.payload.id}.pdf' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com', id: 17 } },
    },
  ],
});
