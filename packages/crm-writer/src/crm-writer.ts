import type {
  CallFailure, CarriedRecord, CrmFiles, CrmRecords, IdentityMap, KeyValue, RunStore, StoreClock,
} from '@sluice/ports';
import type { Activity } from './batching/activity';
import { createArchiveCalls } from './calls/archive-calls';
import { createAssociateRecords } from './associations/associate-records';
import { createAssociatedRecords } from './associations/associated-records';
import { createAssociationCalls } from './associations/association-calls';
import { createSingleTypes } from './session/association-limits';
import { createAssociationTypes } from './session/association-types';
import { createBoundedCache } from './shared/bounded-cache';
import { createCreateRecord } from './writing/create-record';
import { createDissociateCalls } from './associations/dissociate-calls';
import { createDissociateRecords } from './associations/dissociate-records';
import { createCrmFileOperations, type CrmFileOperations, failingFiles } from './files/crm-file-operations';
import { keepSending, keepSent } from './policies/echo-policy';
import { createFingerprints, noFingerprints } from './state/fingerprints';
import { hopsOfJournal, isJournalEcho, type JournalEventRef } from './policies/journal-echo';
import { createFindRecord } from './finding/find-record';
import { type FileWork, maxTransfers } from './files/file-work';
import type { ClaimTimes } from './state/claim-times';
import { identitiesOf, unboundIdentities } from './state/identities-of';
import { createIdentityClaims } from './state/identity-claims';
import { createLatestWrites } from './state/latest-writes';
import { createMappingLookup } from './state/mapping-lookup';
import { createMappingRemovals } from './state/mapping-removals';
import { createTokenApp, type TokenApp } from './session/token-app';
import { isOutdated } from './policies/outdated-values';
import { createPortalSession, type PortalSession, type PortalSessionDeps } from './session/portal-session';
import { createPromoteRecord } from './writing/promote-record';
import { createPropertyCatalog, type PropertyCatalog } from './session/property-catalog';
import { createQueryRecords } from './finding/query-records';
import { createRecordCalls } from './calls/record-calls';
import { createRecordMappings } from './state/record-mappings';
import { createRecordSends } from './writing/record-sender';
import { createRemoveRecord } from './writing/remove-record';
import { createTransferLimit, type TransferLimit } from './files/transfer-limit';
import type { UnitContext } from './shared/unit-context';
import { type RecordOperations, unboundRecords, UnitRecords } from './unit-records';
import { createUpdateById } from './writing/update-by-id';
import { createUpsertRecord } from './writing/upsert-record';
import { createWriteCauses, noCauses } from './state/write-causes';
import { noWriteCaps, WriteCaps, type WriteCapsDeps } from './calls/write-caps';
import type { WriterParts } from './state/writer-parts';

export interface CrmWriterDeps extends PortalSessionDeps {
  store: Pick<RunStore, 'mappings' | 'claim' | 'haveNewerWrites' | 'mappingsTo' | 'haveNewerRemovals'>;
  activity: Activity;
  /** Dates the conflicts that are stored. */
  storeNow: StoreClock;
  /** Units under way at once (SLUICE_RUNNER_MAX_IN_FLIGHT). */
  maxInFlight: number;
  /** Mappings kept in memory (SLUICE_RUNNER_MAPPINGS), but at least some for each unit under way. */
  rememberedMappings: number;
  claimTimes: ClaimTimes;
  /** Whether guarded writes of which nothing is known yet create before they read (ADR 0340). Default: they read. */
  expectsNewRecords?: boolean;
  files: FileWork;
  /** The caps of first syncs; absent: no connector has one. */
  writeCaps?: WriteCapsDeps;
  /** Remembers values written and sent recently; absent: nothing is remembered. */
  echoes?: { kv: Pick<KeyValue, 'set' | 'getMany'>; windowMs: number };
}

/** Writes and mappings remembered: several for each unit under way, which are not settled yet. */
const [rememberedPerUnit, leastRemembered] = [4, 10_000];

/** Portals whose operations are kept; those of a dropped portal are made again when it is used. */
const maxPortals = 1_000;

/** The CRM writer: gives each unit its ports to the CRM, and batches the calls of all units. */
export interface CrmWriter {
  /** @param unit null when the connector has no portal: every ask then fails with `crm_portal_not_bound` */
  recordsFor(unit: UnitContext | null): CrmRecords;
  filesFor(unit: UnitContext | null): CrmFiles;
  /** Its identity mappings; with null, `ready` fails in the same way. */
  identitiesFor(unit: UnitContext | null): IdentityMap;
  /** Remembers the values of a record that a request of the unit carried, to recognize them when they come back. */
  keepSent(unit: UnitContext, record: CarriedRecord): Promise<void>;
  /**
   * Remembers that a request of the unit carries a record, to recognize an event of the destination that crosses it.
   * @param endedAt when the request ended, milliseconds; null: it is about to be sent
   */
  keepSending(unit: UnitContext, record: CarriedRecord, endedAt: number | null): Promise<void>;
  /** Whether the record has newer values by now than those that a request of the unit is to carry. */
  isOutdated(unit: UnitContext, record: CarriedRecord): Promise<boolean>;
  /** Whether an event of the journal is what a flow with `suppress_echo` has written. */
  isJournalEcho(event: JournalEventRef): Promise<boolean>;
  /** Links of the chain of causes that led to an event of the journal. 0: it is a change that Sluice did not make. */
  hopsOfJournal(portalId: string, event: JournalEventRef): Promise<number>;
}

const notBound: CallFailure = {
  ok: false,
  kind: 'permanent',
  code: 'crm_portal_not_bound',
  message: 'the connector is not bound to a CRM portal',
};

interface PortalOperations extends RecordOperations {
  files: CrmFileOperations;
  isOutdated(unit: UnitContext, record: CarriedRecord): Promise<boolean>;
}

function createPortalOperations(
  parts: WriterParts, session: PortalSession, { caps, ...files }: { work: FileWork; transfers: TransferLimit; caps: WriteCaps },
): PortalOperations {
  const records = createRecordCalls(session, parts.activity, caps);
  const sends = createRecordSends(parts, session, records);
  const associations = createAssociationCalls(session, parts.activity);
  return {
    writes: createUpsertRecord(parts, session, records, sends),
    updateById: createUpdateById(parts, sends),
    query: createQueryRecords(parts, session),
    associated: createAssociatedRecords(parts, session, records),
    find: createFindRecord(parts, session, records),
    associate: createAssociateRecords(parts, session, records, associations),
    create: createCreateRecord(parts, session, records),
    remove: createRemoveRecord(parts, session, records, createArchiveCalls(session, parts.activity, caps)),
    dissociate: createDissociateRecords(parts, session, records, createDissociateCalls(session, parts.activity)),
    promote: createPromoteRecord(parts, session, records, parts.recordMappings),
    files: createCrmFileOperations(parts, session, records, files),
    isOutdated: (unit, record) => isOutdated(records, unit, record),
  };
}

/** One unit reads definitions for all: meanwhile it counts as waiting. */
function waitingCatalog(catalog: PropertyCatalog, activity: Activity): PropertyCatalog {
  return {
    ...catalog,
    isUnique: (session, objectType, property) => {
      const answer = catalog.isUnique(session, objectType, property);
      return answer instanceof Promise ? activity.waiting(answer) : answer;
    },
    definition: (...asked) => activity.waiting(catalog.definition(...asked)),
  };
}

/** One unit asks for all: meanwhile it counts as waiting. */
const waitingTokenApp =
  (tokenApp: TokenApp, activity: Activity): TokenApp =>
  (session) =>
    activity.waiting(tokenApp(session));

export function createCrmWriter(deps: CrmWriterDeps): CrmWriter {
  const { activity, claimTimes, monotonicNow, storeNow, sleep } = deps;
  const remembered = Math.max(leastRemembered, rememberedPerUnit * deps.maxInFlight);
  const parts: WriterParts = {
    activity,
    claimTimes,
    monotonicNow,
    storeNow,
    sleep,
    mappings: createMappingLookup(deps.store, {
      activity, monotonicNow, remembered: Math.max(remembered, deps.rememberedMappings),
    }),
    landed: createLatestWrites(deps.store, { activity, remembered }),
    claims: createIdentityClaims(deps.store, { activity, times: claimTimes, monotonicNow }),
    catalog: waitingCatalog(createPropertyCatalog(monotonicNow), activity),
    associationTypes: createAssociationTypes(monotonicNow),
    singleTypes: createSingleTypes(monotonicNow),
    recordMappings: createRecordMappings(deps.store, activity),
    removals: createMappingRemovals(deps.store, { activity, remembered }),
    fingerprints: deps.echoes ? createFingerprints(deps.echoes.kv, { ttlMs: deps.echoes.windowMs, activity }) : noFingerprints,
    tokenApp: waitingTokenApp(createTokenApp(monotonicNow), activity),
    expectsNewRecords: deps.expectsNewRecords ?? false,
    causes: deps.echoes ? createWriteCauses(deps.echoes.kv, { ttlMs: deps.echoes.windowMs, activity }) : noCauses,
  };
  const caps = deps.writeCaps ? new WriteCaps(deps.writeCaps) : noWriteCaps;
  const files = { caps, work: deps.files, transfers: createTransferLimit(maxTransfers, (work) => activity.waiting(work)) };
  const portals = createBoundedCache<PortalOperations>(maxPortals);
  const operationsOf = (binding: UnitContext['binding']): PortalOperations => {
    const key = `${binding.credentialId} ${binding.portalId}`;
    let operations = portals.get(key);
    if (!operations) {
      operations = createPortalOperations(parts, createPortalSession(deps, binding), files);
      portals.set(key, operations);
    }
    return operations;
  };
  return {
    filesFor: (unit) => (unit ? operationsOf(unit.binding).files(unit) : failingFiles(notBound)),
    identitiesFor: (unit) => (unit ? identitiesOf(parts.mappings, parts.recordMappings, unit) : unboundIdentities(notBound)),
    keepSent: (unit, record) => keepSent(parts.fingerprints, unit, record),
    keepSending: (unit, record, endedAt) => keepSending(parts.fingerprints, unit, record, endedAt),
    isOutdated: (unit, record) => operationsOf(unit.binding).isOutdated(unit, record),
    isJournalEcho: (event) => isJournalEcho(parts.fingerprints, event),
    hopsOfJournal: (portalId, event) => hopsOfJournal(parts.causes, portalId, event),
    recordsFor: (unit) => (unit ? new UnitRecords(unit, operationsOf(unit.binding), parts) : unboundRecords(notBound)),
  };
}
