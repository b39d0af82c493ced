import type { ConfigDocument, Flow, Step } from '@sluice/contracts';
import { type DryRun, dryRunFlow } from '../dry-run-flow';

const configOf = (steps: Step[], flow: Partial<Flow> = {}): ConfigDocument => ({
  version: '3.1',
  entities: [
    {
      name: 'contact',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
            { source: '$.payload.name', target: 'firstname' },
          ],
        },
        erp: {
          field_mappings: [
            { source: '$.payload.email', target: 'mail' },
            { source: '$.payload.name', target: 'label' },
          ],
        },
      },
    },
    {
      name: 'company',
      schemas: {
        crm: {
          object_type: 'companies',
          identity: { property: 'domain' },
          field_mappings: [{ source: '$.payload.domain', target: 'domain' }],
        },
      },
    },
  ],
  flows: [{ name: 'customers', source: 'event_api', event_type: 'customer.synced', steps, ...flow }],
  sources: [
    {
      name: 'erp',
      type: 'rest',
      config: {
        base_url: 'https://erp.example.com/api/',
        default_headers: { Accept: 'application/json' },
        secret_headers: { 'X-Key': 'erp_key' },
        dry_run_response: { status: 201, body: { data: { id: 17 } }, headers: { etag: 'a' } },
      },
    },
    { name: 'strict', type: 'rest', config: { base_url: 'https://strict.example.com', dry_run_response: { status: 422 } } },
  ],
});

/** The payload of the event, unless a test gives another one. */
export const ada = { email: 'Ada@Example.com', name: 'Ada', domain: 'example.com' };

/** Runs the steps as the only flow of a config with contacts, companies, a CRM and the destinations `erp` and `strict`. */
export function dryRun(
  steps: Step[], payload: unknown = ada, flow: Partial<Flow> = {}, type = 'customer.synced',
): Promise<DryRun> {
  const document = configOf(steps, flow);
  const event = { event_type: type, payload, connectorId: 'c1', storeId: null, timestamp: '2026-01-01T00:00:00.000Z' };
  return dryRunFlow(document, document.flows[0]!, event);
}

/** A step that upserts the record of an entity. */
export const upsert = (id: string, entity: string, more: object = {}): Step => ({
  id,
  action: 'upsert',
  target: 'crm',
  entity,
  ...more,
});
/** A step that links the contact of the event with its company. */
export const link: Step = {
  id: 'link',
  action: 'associate',
  target: 'crm',
  from_entity: 'contact',
  from_external_id: '$.payload.email',
  to_entity: 'company',
  to_external_id: '$.payload.domain',
};
