import type { CrmClient } from '../../crm/crm-client';
import type { CallOptions, CrmAccess, CrmResult } from '../../crm/crm-call';

type Call = (client: CrmClient, access: CrmAccess, options: CallOptions) => Promise<CrmResult<unknown>>;

const input = { traceId: 't', properties: { email: 'a@x.co' } };
const definition = { name: 'shop_id', label: 'Shop id', type: 'string', fieldType: 'text', groupName: 'contactinformation' };
const stage = { label: 'Sold', displayOrder: 0, metadata: { probability: '1.0' } };
const schema = {
  name: 'car',
  labels: { singular: 'Car', plural: 'Cars' },
  primaryDisplayProperty: 'plate',
  requiredProperties: [],
  properties: [{ name: 'plate', label: 'Plate', type: 'string', fieldType: 'text' }],
  associatedObjects: [],
};

/** One well-formed call of every method that acts on a portal. */
export const portalCalls: Record<Exclude<keyof CrmClient, 'exchangeCode' | 'introspect' | 'refreshToken'>, Call> = {
  batchRead: (client, access, options) => client.batchRead(access, 'contacts', { ids: ['1'], properties: [] }, options),
  batchCreate: (client, access, options) => client.batchCreate(access, 'contacts', [input], options),
  batchUpdate: (client, access, options) => client.batchUpdate(access, 'contacts', [{ id: '1', ...input }], options),
  batchUpsert: (client, access, options) =>
    client.batchUpsert(access, 'contacts', 'email', [{ id: 'a@x.co', ...input }], options),
  batchArchive: (client, access, options) => client.batchArchive(access, 'contacts', ['1'], options),
  search: (client, access, options) => client.search(access, 'contacts', { filterGroups: [], properties: [], limit: 1 }, options),
  associationTypes: (client, access, options) => client.associationTypes(access, 'contacts', 'companies', options),
  associationLimits: (client, access, options) => client.associationLimits(access, 'contacts', 'companies', options),
  batchAssociate: (client, access, options) =>
    client.batchAssociate(
      access,
      'contacts',
      'companies',
      [{ fromId: '1', toId: '2', types: [{ category: 'HUBSPOT_DEFINED', typeId: 279 }] }],
      options,
    ),
  batchAssociateDefault: (client, access, options) =>
    client.batchAssociateDefault(access, 'contacts', 'companies', [{ fromId: '1', toId: '2' }], options),
  batchReadAssociations: (client, access, options) =>
    client.batchReadAssociations(access, 'contacts', 'companies', ['1'], options),
  batchArchiveAssociations: (client, access, options) =>
    client.batchArchiveAssociations(access, 'contacts', 'companies', [{ fromId: '1', toIds: ['2'] }], options),
  batchArchiveLabels: (client, access, options) =>
    client.batchArchiveLabels(
      access,
      'contacts',
      'companies',
      [{ fromId: '1', toId: '2', types: [{ category: 'HUBSPOT_DEFINED', typeId: 279 }] }],
      options,
    ),
  properties: (client, access, options) => client.properties(access, 'contacts', options),
  createProperties: (client, access, options) => client.createProperties(access, 'contacts', [definition], options),
  updatePropertyOptions: (client, access, options) => client.updatePropertyOptions(access, 'contacts', 'city', [], options),
  propertyGroups: (client, access, options) => client.propertyGroups(access, 'contacts', options),
  createPropertyGroup: (client, access, options) =>
    client.createPropertyGroup(access, 'contacts', { name: 'shop', label: 'Shop' }, options),
  objectSchema: (client, access, options) => client.objectSchema(access, 'p1_car', options),
  createObjectSchema: (client, access, options) => client.createObjectSchema(access, schema, options),
  pipelines: (client, access, options) => client.pipelines(access, 'deals', options),
  createPipeline: (client, access, options) =>
    client.createPipeline(access, 'deals', { label: 'Cars', displayOrder: 0, stages: [stage] }, options),
  createPipelineStage: (client, access, options) => client.createPipelineStage(access, 'deals', 'default', stage, options),
};

/** A token no CRM knows; no answer may show it. */
export const secretToken = 'a-secret-token';

/** One call of every method about tokens. */
export const tokenCalls: Record<'exchangeCode' | 'introspect' | 'refreshToken', Call> = {
  exchangeCode: (client, _access, options) =>
    client.exchangeCode({ code: secretToken, redirectUri: 'https://sluice.example/callback' }, options),
  introspect: (client, _access, options) => client.introspect(secretToken, options),
  refreshToken: (client, _access, options) => client.refreshToken(secretToken, options),
};
