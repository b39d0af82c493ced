import { done, failed, permanent, type Outcome } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { fileNameOf, folderOf } from '../shared/file-names';
import { entityField } from '../shared/record-schemas';
import { crmEntity, recordKeys } from '../shared/record-targets';
import { urlField } from '../shared/rest-fields';
import { charactersLimit, downloadLimit, fileLimit, filenameLimit, urlLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['filename'],
  properties: {
    content: { type: 'string', 'x-resolve': 'reference', description: 'Reference to the content: base64, or a data URL.' },
    url: {
      ...urlField,
      'x-resolve': 'address',
      description:
        'Whole address that the content is read from, in place of content; a reference to one, or a text in which the values ' +
        'of {$...} are percent-encoded.',
    },
    filename: { type: 'string', minLength: 1, 'x-resolve': 'template', description: 'Name of the file.' },
    folder_path: {
      type: 'string',
      minLength: 1,
      'x-resolve': 'template',
      description: 'Folder in the CRM; made when it is missing.',
      default: '/sluice',
    },
    access: {
      type: 'string',
      enum: ['PUBLIC_INDEXABLE', 'PUBLIC_NOT_INDEXABLE', 'HIDDEN_INDEXABLE', 'HIDDEN_NOT_INDEXABLE', 'HIDDEN_PRIVATE', 'PRIVATE'],
      default: 'PRIVATE',
      description: 'Who may read the file.',
    },
    entity: { ...entityField, description: 'Entity of the record that the file is attached to through a note.' },
    external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id of that record.' },
    note: {
      type: 'string',
      'x-resolve': 'template',
      description: 'Text of the note; default: the name of the file.',
    },
  },
} as const satisfies StepFieldsSchema;

/** Where the portal of the examples keeps its files. */
const files = 'https://files.example.com/hubfs/1000001';

/** Uploads a file to the CRM (docs/reference/steps-and-actions.md, files and forms). */
export const uploadFile = defineAction(configSchema)({
  name: 'upload_file',
  title: 'Upload file',
  description: 'Uploads a file to the CRM and may attach it to a record through a note.',
  category: 'files',
  min_version: '3.0',
  effect: 'write',
  uses: ['files'],
  on_repeat:
    'Finds the file of the same name and content in the folder, and the note of the same text that carries it; makes no second ' +
    'one. An address is read once per event.',
  repeat: 'kept',
  required_checks: [
    { fields: ['content', 'url'], message: 'upload_file requires content or url', mode: 'any', equals: null },
    { fields: ['content', 'url'], message: 'upload_file takes content or url, not both', mode: 'at_most_one', equals: null },
    { fields: ['filename'], message: 'upload_file requires filename', mode: 'all', equals: null },
    { fields: ['entity', 'external_id'], message: 'entity requires external_id', mode: 'requires', equals: null },
    { fields: ['external_id', 'entity'], message: 'external_id requires entity', mode: 'requires', equals: null },
    { fields: ['note', 'entity'], message: 'note requires entity and external_id', mode: 'requires', equals: null },
  ],
  limits: [
    urlLimit,
    filenameLimit,
    charactersLimit('folder_path', 1024),
    { ...charactersLimit('note', 65_536), checked: ['save', 'attempt'] },
    fileLimit,
    downloadLimit,
  ],
  rules: [],
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
      given: {
        entities: [contactEntity],
        payload: { id: 17, email: 'ada@example.com', pdf: 'JVBERi0=' },
        records: [{ objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } }],
      },
      expect: { kind: 'done', output: { file_id: '70000002', url: `${files}/invoices/invoice-17.pdf`, note_id: '101' } },
    },
    {
      title: 'A picture that is read from the shop',
      config: { url: 'https://shop.example.com/pictures/{$.payload.id}', filename: 'product.jpg', access: 'PUBLIC_INDEXABLE' },
      given: { entities: [], payload: { id: 3 } },
      expect: { kind: 'done', output: { file_id: '70000002', url: `${files}/sluice/product.jpg`, note_id: null } },
    },
    {
      title: 'A picture whose address the event brings',
      config: { url: '$.payload.image.src', filename: 'product-{$.payload.id}.jpg' },
      given: { entities: [], payload: { id: 3, image: { src: 'https://cdn.example.com/p/3.jpg?v=2' } } },
      expect: { kind: 'done', output: { file_id: '70000002', url: `${files}/sluice/product-3.jpg`, note_id: null } },
    },
    {
      title: 'An order without an invoice: nothing is uploaded',
      config: { content: '$.payload.pdf', filename: 'invoice-{$.payload.id}.pdf' },
      given: { entities: [], payload: { id: 18 } },
      expect: { kind: 'done', output: { file_id: null, skipped: true, reason: 'no_content' } },
    },
  ],
  touches: ({ config, entities }) => {
    const entity = config.entity === undefined ? undefined : entities.get(config.entity);
    return { writes: entity ? recordKeys(entity.targetOf(config.external_id)) : [], reads: [] };
  },
  run: async ({ config, entities, stepId, ports: { files } }) => {
    const filename = fileNameOf(config.filename);
    if (filename === null) return permanent('mapping_failed', 'upload_file: filename resolves to nothing');
    const content = config.url ?? config.content ?? '';
    if (content === '') return nothing('no_content');
    const byAddress = config.url !== undefined;
    if (typeof content !== 'string')
      return permanent('file_unreadable', `upload_file: ${byAddress ? 'url is no text' : 'content is not a text of base64'}`);
    const found = config.entity === undefined ? null : crmEntity(entities, config.entity);
    if (found && !found.ok) return found.outcome;
    const record = found ? found.entity.targetOf(config.external_id) : null;
    if (record && record.externalId === null) return nothing('missing_external_id');
    const note = typeof config.note === 'string' && config.note !== '' ? config.note : filename;
    const result = await files.upload({
      stepId,
      source: byAddress ? { url: content } : { base64: content },
      filename,
      folderPath: folderOf(config.folder_path),
      access: config.access ?? 'PRIVATE',
      attachTo: record && { record, note },
    });
    if (result.ok) return done({ ...result.value }, { wrote: true });
    return failed(result, result.landed && { output: { ...result.landed }, wrote: true });
  },
});

const nothing = (reason: string): Outcome => done({ file_id: null, url: null, note_id: null, skipped: true, reason });
