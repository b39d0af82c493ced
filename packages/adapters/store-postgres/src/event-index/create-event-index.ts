import { type EventIndex, keptForEver, type Retention } from '@sluice/ports';
import type { Pool } from 'pg';
import { keptRows } from '../kept-rows';
import { acceptedSince, reservedSince } from '../monitoring/usage';
import { retried } from '../transaction';
import { indexPosition } from './index-positions';
import { maintain } from './maintain';
import { recentPayloads } from './recent-payloads';
import { viewEvent } from './view-event';
import { writeIndex } from './write-index';

/** The event index on Postgres (ADR 0021). Every method throws `StoreUnavailable` when the database cannot be reached. */
export function createEventIndex(pool: Pool, retention: Retention = keptForEver): EventIndex {
  const kept = keptRows(retention);
  return {
    write: (rows, ranges) => writeIndex(pool, rows, ranges),
    position: (ref) => retried(() => indexPosition(pool, ref)),
    view: (connectorId, eventId, acceptedAt) => viewEvent(pool, kept, connectorId, eventId, acceptedAt),
    recentPayloads: (connectorId, bounds) => recentPayloads(pool, kept, connectorId, bounds),
    acceptedSince: (organizationId, since) => acceptedSince(pool, organizationId, new Date(since)),
    reservedSince: (organizationId, since) => reservedSince(pool, organizationId, new Date(since)),
    storeTime: async () => (await retried(() => pool.query<{ now: Date }>('SELECT clock_timestamp() AS now'))).rows[0]!.now,
    maintain: (now, keep) => maintain(pool, now, keep),
  };
}
