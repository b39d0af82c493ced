import type {
  CallFailure, CallResult, CrmPropertyDefinition, CrmRecords, FoundRecord, RunStore, WorkClass,
} from '@sluice/ports';
import { createActivity } from './batching/activity';
import { createAssociatedRecords } from './associations/associated-records';
import { createFindRecord } from './finding/find-record';
import { foundRecord } from './finding/found-record';
import { createMappingLookup } from './state/mapping-lookup';
import { objectTypeName } from './shared/object-type';
import { createPortalSession, type PortalSessionDeps } from './session/portal-session';
import { createPropertyCatalog } from './session/property-catalog';
import { createQueryRecords } from './finding/query-records';
import { createRecordCalls } from './calls/record-calls';
import { noEffects, type PortalBinding, type UnitContext } from './shared/unit-context';
import { noWriteCaps } from './calls/write-caps';

export interface CrmReaderDeps extends Omit<PortalSessionDeps, 'observer' | 'insideLease'> {
  store: Pick<RunStore, 'mappings' | 'haveNewerRemovals'>;
}

/** The CRM for read-only callers: the same reads as the writer's, within the portal's budget. */
export interface CrmReader extends Pick<CrmRecords, 'find' | 'query' | 'associated'> {
  /** null: there is no such record. */
  readById(objectType: string, crmId: string, properties: string[]): Promise<CallResult<FoundRecord | null>>;
  /** null: there is no such property. */
  definition(objectType: string, property: string): Promise<CallResult<CrmPropertyDefinition | null>>;
}

/** Mappings are read from the store each time, because another process writes them. */
const remembered = 1;

/** A reader owns no partition, stores nothing and overwrites nothing. */
const onlooker = (connectorId: string, binding: PortalBinding, now: number, workClass: WorkClass): UnitContext => ({
  connectorId, binding, unitKey: 'onlooker',
  position: { partition: -1, offset: 0n, acceptedAt: new Date(now).toISOString() },
  guarded: true, forced: false, retried: false, traceparent: null, effects: noEffects(),
  unanswered: () => undefined, owned: () => true, workClass: () => workClass,
});

/**
 * @param binding null when the connector has no portal: every ask then fails with `crm_portal_not_bound`
 * @param workClass the class in which it uses the portal
 */
export function createCrmReader(
  deps: CrmReaderDeps, connectorId: string, binding: PortalBinding | null, workClass: WorkClass = 'live',
): CrmReader {
  if (!binding) return unboundReader();
  const activity = createActivity();
  const observer = { called: () => undefined };
  const session = createPortalSession({ ...deps, observer, insideLease: () => Promise.resolve(true) }, binding);
  const calls = createRecordCalls(session, activity, noWriteCaps);
  const { monotonicNow } = deps;
  const catalog = createPropertyCatalog(monotonicNow);
  const parts = { activity, catalog, mappings: createMappingLookup(deps.store, { activity, remembered, monotonicNow }) };
  const find = createFindRecord(parts, session, calls);
  const query = createQueryRecords(parts, session);
  const associated = createAssociatedRecords(parts, session, calls);
  const unit = onlooker(connectorId, binding, Date.now(), workClass);
  /** A waiting call lowers the count of active units, so it is counted as active first. */
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    activity.enter();
    try {
      return await work();
    } finally {
      activity.leave();
    }
  };
  const typed = <T extends { objectType: string }>(named: T): T => ({ ...named, objectType: objectTypeName(named.objectType) });
  return {
    find: (request) => counted(() => find(unit, typed(request))),
    query: (request) => counted(() => query(unit, typed(request))),
    associated: (request) =>
      counted(() => associated(unit, { ...typed(request), toObjectType: objectTypeName(request.toObjectType) })),
    readById: (objectType, crmId, properties) =>
      counted(async () => {
        const read = await calls.read(objectTypeName(objectType), null, properties, { unit, value: crmId });
        if (!read.ok) return read;
        return { ok: true, value: read.value && foundRecord(read.value, properties) };
      }),
    definition: (objectType, property) => catalog.definition(session, objectTypeName(objectType), property),
  };
}

function unboundReader(): CrmReader {
  const notBound: CallFailure = {
    ok: false, kind: 'permanent', code: 'crm_portal_not_bound', message: 'the connector is not bound to a CRM portal',
  };
  const answer = (): Promise<CallFailure> => Promise.resolve(notBound);
  return { find: answer, query: answer, associated: answer, readById: answer, definition: answer };
}
