import type { CrmRecordKey, Mapping, RunStore } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { createCoalescer } from '../batching/coalescer';

/** The identity mappings of all connectors to a CRM record; many records are read in one statement. */
export type RecordMappings = (record: CrmRecordKey) => Promise<Mapping[]>;

const textOf = ({ portalId, objectType, crmId }: CrmRecordKey): string => JSON.stringify([portalId, objectType, crmId]);

export function createRecordMappings(store: Pick<RunStore, 'mappingsTo'>, activity: Activity): RecordMappings {
  const reads = createCoalescer<CrmRecordKey, Mapping[]>({
    maxBatch: 500,
    maxConcurrent: 2,
    activity,
    run: async (records) => {
      const found = new Map<string, Mapping[]>();
      for (const mapping of await store.mappingsTo(records)) {
        const text = textOf(mapping);
        found.set(text, [...(found.get(text) ?? []), mapping]);
      }
      return records.map((record) => found.get(textOf(record)) ?? []);
    },
  });
  return (record) => reads.ask(record);
}
