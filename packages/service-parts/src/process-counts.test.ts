import { type ProcessCountEntry, silentLogger, StoreUnavailable } from '@sluice/ports';
import { createProcessCounts } from './process-counts';

test('stores sums by connector and name, each once, also after the database was away', async () => {
  const stored: ProcessCountEntry[] = [];
  let away = true;
  const store = {
    addProcessCounts: async (entries: readonly ProcessCountEntry[]) => {
      if (away) throw new StoreUnavailable('away');
      stored.push(...entries);
    },
  };
  const counts = createProcessCounts({ store, logger: silentLogger });
  for (let n = 0; n < 3; n += 1) counts.add('a', 'crm_calls');
  await counts.stop();
  expect(stored).toEqual([]);
  away = false;
  counts.add('a', 'crm_calls');
  counts.add('b', 'ingest_requests');
  await counts.stop();
  expect(stored).toEqual([{ connectorId: 'a', name: 'crm_calls', value: 4 }, { connectorId: 'b', name: 'ingest_requests',
    value: 1 }]);
  await counts.stop();
  expect(stored).toHaveLength(2);
});
