const map = (source: string, target: string, more: object = {}): object => ({ source, target, ...more });

/** Names of the pollers, which are those of their lists. */
export const lists = ['a', 'b', 'c', 'd', 'e'] as const;

/**
 * New contacts of the CRM become deals by their address, and elements of polled lists become companies by their domain: each
 * change and each element leaves one record of its own.
 */
export const sourceConfig = (listsUrl: string): object => ({
  version: '3.1',
  entities: [
    { name: 'mirror', schemas: { crm: {
      object_type: 'deals', identity: { property: 'description' },
      field_mappings: [
        map('$.payload.object.properties.email', 'description'),
        map('$.payload.object.properties.email', 'dealname'),
        map('$.payload.none', 'dealstage', { transform: [{ name: 'default', args: { value: 'appointmentscheduled' } }] }),
      ],
    } } },
    { name: 'company', schemas: { crm: {
      object_type: 'companies', identity: { property: 'domain' },
      field_mappings: [map('$.payload.domain', 'domain'), map('$.payload.domain', 'name')],
    } } },
  ],
  flows: [
    { name: 'contacts', source: 'changes', event_type: '0-1.create',
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'mirror' }] },
    ...lists.map((list) => ({ name: `list ${list}`, source: list, event_type: `${list}.polled`,
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'company' }] })),
  ],
  sources: [
    { name: 'event_api', type: 'event_api', config: {} },
    { name: 'changes', type: 'crm', config: {
      triggers: [{ object_type: 'contacts', actions: ['create'] }], enrich_properties: { contacts: ['email'] },
    } },
    ...lists.map((list) => ({ name: list, type: 'poller', config: {
      url: `${listsUrl}/${list}`, items_path: '$.data', pagination: { type: 'page' }, external_id_path: '$.domain',
      cursor: { param: 'since', path: '$.last', initial: '0' },
    } })),
  ],
  settings: {},
});
