import { done, failed } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { contactEntity } from '../shared/order-examples';
import { crmEntity } from '../shared/record-targets';
import { entityField, targetField } from '../shared/record-schemas';
import { idText } from '../shared/id-text';

const configSchema = {
  type: 'object',
  required: ['entity', 'crm_id', 'external_id'],
  properties: {
    target: { ...targetField, description: '`crm`, which is also meant when it is absent.' },
    entity: entityField,
    crm_id: { type: 'string', 'x-resolve': 'reference', description: 'CRM id of the record that was found by other means.' },
    external_id: { type: 'string', 'x-resolve': 'reference', description: 'External id that the record gets.' },
  },
} as const satisfies StepFieldsSchema;

/** Gives a record found by other means its identity (docs/reference/steps-and-actions.md, update_by_id, promote_identity). */
export const promoteIdentity = defineAction(configSchema)({
  name: 'promote_identity',
  title: 'Promote identity',
  description: 'Writes the identity property of a record that was found by other means and saves its mapping.',
  category: 'crm',
  min_version: '3.0',
  effect: 'write',
  uses: ['crm'],
  on_repeat: 'The record has its identity and its mapping already: nothing is changed.',
  repeat: 'again',
  required_checks: [
    {
      fields: ['entity', 'crm_id', 'external_id'],
      message: 'promote_identity requires entity, crm_id and external_id',
      mode: 'all',
      equals: null,
    },
    { fields: ['target'], message: "promote_identity requires target 'crm'", mode: 'equals_if_given', equals: 'crm' },
  ],
  limits: [],
  rules: [],
  examples: [
    {
      title: 'A contact that was found by its phone number',
      config: { entity: 'contact', crm_id: '$find.crm_id', external_id: '$.payload.email' },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com' },
        outputs: { find: { found: true, crm_id: '501' } },
        records: [{ objectType: 'contacts', crm_id: '501', properties: { phone: '1' } }],
      },
      expect: { kind: 'done', output: { promoted: true, crm_id: '501', previous_external_id: null } },
    },
    {
      title: 'Only when it was found',
      config: { target: 'crm', entity: 'contact', crm_id: '$find.crm_id', external_id: '$.external_id' },
      given: { entities: [contactEntity], payload: {}, external_id: 'ada@example.com', outputs: { find: { found: false } } },
      expect: { kind: 'done', output: { promoted: false, crm_id: null, skipped: true, reason: 'missing_crm_id' } },
    },
    {
      title: 'A record that another external id holds is quarantined',
      config: { entity: 'contact', crm_id: '$find.crm_id', external_id: '$.payload.email' },
      given: {
        entities: [contactEntity],
        payload: { email: 'ada@example.com' },
        outputs: { find: { found: true, crm_id: '501' } },
        records: [{ objectType: 'contacts', crm_id: '501', properties: { email: 'bob@example.com' } }],
      },
      expect: {
        kind: 'fail',
        code: 'identity_conflict',
        output: { promoted: false, crm_id: '501', previous_external_id: 'bob@example.com' },
      },
    },
  ],
  // The event does not show which record has this id.
  touches: () => null,
  run: async ({ config, entities, ports: { crm } }) => {
    const found = crmEntity(entities, config.entity);
    if (!found.ok) return found.outcome;
    const target = found.entity.targetOf(config.external_id);
    const crmId = idText(config.crm_id);
    const facts = { entity: config.entity, external_id: target.externalId };
    const nothing = { promoted: false, crm_id: crmId, previous_external_id: null, skipped: true };
    if (crmId === null) return done({ ...facts, ...nothing, reason: 'missing_crm_id' });
    if (target.externalId === null) return done({ ...facts, ...nothing, reason: 'missing_external_id' });
    const result = await crm.promote({ target, crmId });
    if (!result.ok) return failed(result);
    const { conflict, ...value } = result.value;
    const output = { ...facts, ...value, skipped: !value.promoted };
    if (conflict === null) return done(output, { wrote: value.promoted });
    const message = `promote_identity: ${conflict}`;
    return failed({ kind: 'permanent', code: 'identity_conflict', message }, { output, wrote: false });
  },
});
