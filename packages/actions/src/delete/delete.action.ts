import type { StepRule } from '../action-definition';
import { defineAction } from '../define-action';
import { deleteCrmRecord, touchesOfDelete } from '../shared/delete-crm-record';
import { contactEntity, shopContact } from '../shared/order-examples';
import { targetAndEntity } from '../shared/record-schemas';
import { deleteAtDestination, idPlace } from './delete-at-destination';
import { urlLimit } from '../shared/shared-limits';
import { deleteSchema } from './delete-fields';

/** The url is what says which record is meant. */
const urlNamesTheRecord: StepRule = {
  fields: ['url', 'target'],
  message: `url of a REST delete must contain ${idPlace}`,
  find: ({ step: { target, url } }) =>
    target === 'crm' || typeof url !== 'string' || url === '' || url.includes(idPlace)
      ? []
      : [{ path: ['url'], type: 'value_error', msg: urlNamesTheRecord.message, input: url }],
};

const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
const deleted = {
  entity: 'contact',
  external_id: 'ada@example.com',
  crm_id: '501',
  deleted: true,
  already_absent: false,
  created: false,
  updated: false,
  skipped: false,
  reason: null,
};

const deletedThere = { entity: 'contact', external_id: 'c 17', crm_id: '501', already_absent: false, reason: null };

/** Deletes a CRM record, or a record of a REST destination (docs/reference/steps-and-actions.md, delete). */
export const deleteAction = defineAction(deleteSchema)({
  name: 'delete',
  title: 'Delete',
  description: 'Deletes the CRM record of an external id, or calls a REST destination with the external id of a CRM record.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm', 'rest', 'identities'],
  on_repeat: 'Not repeated once it has ended. Without an answer: a repeat finds nothing to delete, or a destination answers 404.',
  repeat: 'kept',
  required_checks: [
    targetAndEntity,
    {
      fields: ['target', 'url'], message: 'delete against a REST destination requires url',
      mode: 'requires_unless', equals: 'crm',
    },
  ],
  limits: [urlLimit],
  rules: [urlNamesTheRecord],
  examples: [
    {
      title: 'A customer who left the shop',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'ada@example.com' }, records: [ada] },
      expect: { kind: 'done', output: { ...deleted } },
    },
    {
      title: 'A customer whom the CRM does not have',
      config: { target: 'crm', entity: 'contact' },
      given: { entities: [contactEntity], payload: { email: 'bob@example.com' }, records: [ada] },
      expect: {
        kind: 'done',
        output: { external_id: 'bob@example.com', crm_id: null, deleted: false, skipped: true, reason: 'record_not_found' },
      },
    },
    {
      title: 'A contact deleted in the CRM is deleted in the shop',
      config: { target: 'shop', entity: 'contact', url: '/customers/{external_id}' },
      given: {
        entities: [shopContact],
        payload: { object: { id: '501' } },
        records: [{ ...ada, mapped: { entity: 'contact', externalId: 'c 17' } }],
        answers: [{ status: 204 }],
      },
      expect: { kind: 'done', output: { ...deletedThere, deleted: true } },
      requests: [{ target: 'shop', method: 'DELETE', url: '/customers/c%2017' }],
    },
    {
      title: 'A customer whom the shop does not have any more',
      config: { target: 'shop', entity: 'contact', url: '/customers/{external_id}/close', method: 'POST' },
      given: {
        entities: [shopContact],
        payload: { object: { id: '501' } },
        records: [{ ...ada, mapped: { entity: 'contact', externalId: 'c 17' } }],
        answers: [{ status: 404 }],
      },
      expect: { kind: 'done', output: { ...deletedThere, deleted: true, already_absent: true } },
      requests: [{ method: 'POST', url: '/customers/c%2017/close' }],
    },
    {
      title: 'A contact that never was in the shop',
      config: { target: 'shop', entity: 'contact', url: '/customers/{external_id}' },
      given: { entities: [shopContact], payload: { object: { id: '501' } } },
      expect: { kind: 'done', output: { crm_id: '501', deleted: false, reason: 'no_identity_mapping' } },
      requests: [],
    },
  ],
  touches: ({ config, entities, ctx }) => (config.target === 'crm' ? touchesOfDelete(config.entity, entities, ctx) : null),
  run: async ({ config, entities, ctx, stepId, ports: { crm, rest, identities } }) =>
    config.target === 'crm'
      ? deleteCrmRecord({ entity: config.entity, entities, ctx, crm })
      : deleteAtDestination({ config, entities, ctx, stepId, rest, identities }),
});
