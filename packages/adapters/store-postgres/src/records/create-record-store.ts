import { keptForEver, type RecordStore, type Retention } from '@sluice/ports';
import type { Pool } from 'pg';
import { mapStoreOutage } from '../config-client/store-errors';
import type { PrismaClient } from '../generated/client';
import { keptRows } from '../kept-rows';
import { countRecords } from './count-records';
import { getRecord } from './get-record';
import { listHeld } from './list-held';
import { listRecords } from './list-records';
import { replayRecord } from './replay-record';

/** Record rows and their replays on Postgres. What a replay writes is written to the audit log in its transaction. */
export function createRecordStore(pool: Pool, prisma: PrismaClient, retention: Retention = keptForEver): RecordStore {
  const kept = keptRows(retention);
  return mapStoreOutage<RecordStore>({
    list: (connectorId, query) => listRecords(pool, kept, connectorId, query),
    listHeld: (connectorId, query) => listHeld(pool, connectorId, query),
    get: (connectorId, id) => getRecord(pool, kept, connectorId, id),
    count: (connectorId, range) => countRecords(pool, kept, connectorId, range),
    replay: (asked, publish) => replayRecord(prisma, kept, asked, publish),
  });
}
