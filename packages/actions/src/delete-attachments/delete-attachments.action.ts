import { done, failed } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { fileNameOf } from '../shared/file-names';
import { entityField } from '../shared/record-schemas';
import { crmEntity, recordKeys } from '../shared/record-targets';
import { filenameLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  required: ['entity', 'external_id'],
  properties: {
    entity: { ...entityField, description: 'Entity of the record.' },
    external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id of the record.' },
    filename: { type: 'string', minLength: 1, 'x-resolve': 'template', description: 'Only files of this name.' },
  },
} as const satisfies StepFieldsSchema;

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };

/** Removes files that are attached to a record (docs/reference/steps-and-actions.md, files and forms). */
export const deleteAttachments = defineAction(configSchema)({
  name: 'delete_attachments',
  title: 'Delete attachments',
  description: 'Deletes the notes of a record that carry files, and the files.',
  category: 'files',
  min_version: '3.0',
  effect: 'write',
  uses: ['files'],
  on_repeat: 'Not repeated once it has ended. Without an answer: deletes what is left.',
  repeat: 'kept',
  required_checks: [
    {
      fields: ['entity', 'external_id'],
      message: 'delete_attachments requires entity and external_id',
      mode: 'all',
      equals: null,
    },
  ],
  limits: [
    filenameLimit,
    {
      on: 'port', id: 'notes', call: 'attachment_notes', max: 500, unit: 'items', what: 'notes of the record, the first',
      checked: ['attempt'], over: 'cut',
    },
  ],
  rules: [],
  examples: [
    {
      title: 'All files of a customer',
      config: { entity: 'contact', external_id: '$.payload.email' },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com' },
        records: [ada],
        attachments: { '501': ['invoice-17.pdf', 'offer.pdf'] },
      },
      expect: { kind: 'done', output: { deleted: 2 } },
    },
    {
      title: 'One invoice',
      config: { entity: 'contact', external_id: '$.payload.email', filename: 'invoice-{$.payload.id}.pdf' },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com', id: 17 },
        records: [ada],
        attachments: { '501': ['invoice-17.pdf', 'offer.pdf'] },
      },
      expect: { kind: 'done', output: { deleted: 1 } },
    },
    {
      title: 'A customer that the CRM does not have',
      config: { entity: 'contact', external_id: '$.payload.email' },
      given: { entities: [contactEntity], payload: { email: 'bob@example.com' } },
      expect: { kind: 'done', output: { deleted: 0 } },
    },
  ],
  touches: ({ config, entities }) => {
    const entity = entities.get(config.entity);
    return { writes: entity ? recordKeys(entity.targetOf(config.external_id)) : [], reads: [] };
  },
  run: async ({ config, entities, before, ports: { files } }) => {
    const found = crmEntity(entities, config.entity);
    if (!found.ok) return found.outcome;
    const record = found.entity.targetOf(config.external_id);
    const filename = config.filename === undefined ? undefined : fileNameOf(config.filename);
    // A name that resolves to nothing must not mean all files.
    if (record.externalId === null || filename === null) return done({ deleted: 0 });
    const result = await files.deleteAttachments({ record, filename: filename ?? null });
    const earlier = Number(before?.landed?.['deleted'] ?? 0);
    if (result.ok) return done({ deleted: earlier + result.value.deleted }, { wrote: result.value.deleted > 0 });
    const { landed } = result;
    return failed(result, landed && { output: { deleted: earlier + landed.deleted }, wrote: true });
  },
});
