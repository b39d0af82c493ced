import type { RunningSimulator } from './start-for-test';

/** What an app of a shop defines in its portal, by the official client. */
export const group = (run: RunningSimulator) => run.client.crm.properties.groupsApi.create('contacts', { name: 'shop', label: 'Shop', displayOrder: -1 });
export const tier = (run: RunningSimulator) =>
  run.client.crm.properties.coreApi.create('contacts', {
    name: 'tier',
    label: 'Tier',
    type: 'enumeration' as never,
    fieldType: 'select' as never,
    groupName: 'shop',
    options: [{ label: 'Gold', value: 'gold', displayOrder: 0, hidden: false }],
  });
export const carSchema = (run: RunningSimulator) =>
  run.client.crm.schemas.coreApi.create({
    name: 'car',
    labels: { singular: 'Car', plural: 'Cars' },
    primaryDisplayProperty: 'vin',
    requiredProperties: ['vin'],
    searchableProperties: ['vin'],
    properties: [{ name: 'vin', label: 'VIN', type: 'string' as never, fieldType: 'text', hasUniqueValue: true }],
    associatedObjects: ['CONTACT'],
  });
