import type { CallResult, CrmBatchAnswer, CrmRecord } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { callContextOf } from '../calls/call-context';
import { createCallFamily } from '../calls/call-family';
import type { WrittenRecord } from '../state/latest-writes';
import { idsOf, mergedIds } from '../shared/merged-ids';
import { normalizeIdentity } from '../shared/normalize-identity';
import type { PortalSession } from '../session/portal-session';
import type { UnitRequest } from '../calls/record-requests';
import { takenApart } from '../calls/taken-apart';

/** The CRM's limit for every batch of records (docs/reference/crm-api.md, Batches). */
const maxRecords = 100;
const maxConcurrent = 4;

interface CrmRecordRequest extends UnitRequest {
  record: WrittenRecord;
  properties: readonly string[];
  /** Properties whose last change is read too. */
  changes: readonly string[];
}

/**
 * Reads records from the CRM for the write policies. The records of a batch are read in one call with all properties that its
 * writes need.
 */
export interface CrmRecordReads {
  /** null: there is no such record. */
  read(ask: CrmRecordRequest): Promise<CallResult<CrmRecord | null>>;
}

export function createCrmRecordReads(session: PortalSession, activity: Activity): CrmRecordReads {
  const reads = createCallFamily<CrmRecordRequest, CrmRecord | null>((name) => ({
    maxBatch: maxRecords,
    maxConcurrent,
    activity,
    run: (asks) => takenApart(asks, (part) => readBatch(session, JSON.parse(name) as [string, string], part)),
  }));
  return { read: (ask) => reads.ask(JSON.stringify([ask.record.objectType, propertyOf(ask.record)]), ask) };
}

async function readBatch(
  session: PortalSession,
  [objectType, idProperty]: [string, string],
  asks: readonly CrmRecordRequest[],
): Promise<CallResult<CrmRecord | null>[]> {
  const ids = [...new Set(asks.map(valueOf))];
  const changes = all(asks.map((ask) => ask.changes));
  const properties = all([...asks.map((ask) => ask.properties), [idProperty === '' ? mergedIds : idProperty]]);
  const input = {
    ids,
    properties,
    ...(changes.length > 0 && { lastChanges: changes }),
    ...(idProperty !== '' && { idProperty }),
  };
  const answer = await session.call(
    'read',
    (client, access, options) => client.batchRead(access, objectType, input, options),
    callContextOf(asks),
  );
  if (!answer.ok) return asks.map(() => answer);
  const find = finderOf(answer.value, idProperty, ids);
  return asks.map((ask) => ({ ok: true, value: find(valueOf(ask)) }));
}

/**
 * A record is found by its ids of before a merge too. A value may lead to a record that shows another value, as a further address
 * does: alone in its batch the match is certain.
 */
function finderOf({ results }: CrmBatchAnswer, idProperty: string, ids: readonly string[]): (value: string) => CrmRecord | null {
  const keyOf = (value: string): string => (idProperty === '' ? value : normalizeIdentity(idProperty, value));
  const keysOf = (record: CrmRecord): string[] =>
    (idProperty === '' ? idsOf(record) : [keyOf(record.properties[idProperty] ?? '')]);
  const byKey = new Map(results.flatMap((record) => keysOf(record).map((key) => [key, record] as const)));
  const only = ids.length === 1 && results.length === 1 ? results[0]! : null;
  return (value) => byKey.get(keyOf(value)) ?? only;
}

const propertyOf = (record: WrittenRecord): string => ('crmId' in record ? '' : record.property);
const valueOf = ({ record }: CrmRecordRequest): string => ('crmId' in record ? record.crmId : record.value);
const all = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];
