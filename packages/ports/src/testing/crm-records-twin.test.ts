import { crmRecordsConformance } from './crm-records-conformance';
import { CrmRecordsTwin } from './crm-records-twin';

crmRecordsConformance('the memory twin', async () => {
  const crm = new CrmRecordsTwin();
  return {
    crm,
    add: async (objectType, properties) => crm.add(objectType, properties),
    remove: async (_objectType, id) => crm.remove(id),
    records: async (objectType) => crm.records(objectType),
    links: async () => crm.associations().map(({ from, to }) => [from, to]),
  };
});
