import type { StepCheck } from '../action-definition';
import { describeAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { entityField } from '../shared/record-schemas';
import { urlField } from '../shared/rest-fields';

const configSchema = {
  type: 'object',
  required: ['filename'],
  properties: {
    content: { type: 'string', 'x-resolve': 'reference', description: 'Reference to the content as base64.' },
    url: { ...urlField, description: 'Where the content is read, in place of content.' },
    filename: { type: 'string', minLength: 1, maxLength: 256, 'x-resolve': 'template', description: 'Name of the file.' },
    folder_path: { type: 'string', minLength: 1, maxLength: 1024, 'x-resolve': 'template', description: 'Folder in the CRM.' },
    access: {
      type: 'string',
      enum: ['PUBLIC_INDEXABLE', 'PUBLIC_NOT_INDEXABLE', 'HIDDEN_INDEXABLE', 'HIDDEN_NOT_INDEXABLE', 'HIDDEN_PRIVATE', 'PRIVATE'],
      default: 'PRIVATE',
      description: 'Who may read the file.',
    },
    entity: { ...entityField, description: 'Entity of the record that the file is attached to through a note.' },
    external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id of that record.' },
    note: { type: 'string', maxLength: 65536, 'x-resolve': 'template', description: 'Text of the note.' },
  },
} as const satisfies StepFieldsSchema;

const oneContent: StepCheck = ({ step: { content, url } }) =>
  content !== undefined && url !== undefined
    ? [{ path: ['url'], type: 'value_error', msg: 'upload_file takes content or url, not both', input: url }]
    : [];

/** Uploads a file to the CRM (docs/reference/steps-and-actions.md, files and forms). */
export const uploadFile = describeAction(configSchema)({
  name: 'upload_file',
  title: 'Upload file',
  description: 'Uploads a file to the CRM and may attach it to a record through a note.',
  category: 'files',
  min_version: '3.0',
  required_checks: [
    { fields: ['content', 'url'], message: 'upload_file requires content or url', mode: 'any', equals: null },
    { fields: ['filename'], message: 'upload_file requires filename', mode: 'all', equals: null },
    { fields: ['entity', 'external_id'], message: 'entity requires external_id', mode: 'requires', equals: null },
    { fields: ['external_id', 'entity'], message: 'external_id requires entity', mode: 'requires', equals: null },
    { fields: ['note', 'entity'], message: 'note requires entity and external_id', mode: 'requires', equals: null },
  ],
  limits: [{ id: 'size', text: 'At most 20 MiB.' }],
  checks: [oneContent],
  examples: [
    {
      title: 'An invoice, attached to the customer',
      config: {
        content: '$.payload.pdf',
        filename: 'invoice-{$.payload.id}.pdf',
        folder_path: '/invoices',
        entity: 'contact',
        external_id: '$.payload.email',
        note: 'Invoice {$.payload.id}',
      },
      given: { entities: [contactEntity], payload: { id: 17, email: 'ada@example.com', pdf: 'JVBERi0=' } },
    },
    {
      title: 'A picture that is read from the shop',
      config: { url: 'https://shop.example.com/pictures/{$.payload.id}', filename: 'product.jpg', access: 'PUBLIC_INDEXABLE' },
      given: { entities: [], payload: { id: 3 } },
    },
  ],
});
