import { crmLifecycleConformance } from './crm-lifecycle-conformance';
import { crmLookupsConformance } from './crm-lookups-conformance';
import { crmRecordsConformance, type CrmRecordsLab } from './crm-records-conformance';
import { CrmRecordsTwin } from './crm-records-twin';

async function twinLab(): Promise<CrmRecordsLab> {
  const crm = new CrmRecordsTwin();
  return {
    crm,
    add: async (objectType, properties) => crm.add(objectType, properties),
    remove: async (_objectType, id) => crm.deleteRecord(id),
    records: async (objectType) => crm.records(objectType),
    links: async () => crm.associations().map(({ from, to }) => [from, to]),
  };
}

crmRecordsConformance('the memory twin', twinLab);
crmLookupsConformance('the memory twin', twinLab);
crmLifecycleConformance('the memory twin', twinLab);
