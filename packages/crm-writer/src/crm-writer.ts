import type {
  CallFailure,
  CallResult,
  CarriedRecord,
  CrmFiles,
  CrmRecords,
  DissociateRequest,
  IdentityMap,
  KeyValue,
  RecordWrite,
  RecordWriteResult,
  RunStore,
  UpdateByIdRequest,
} from '@sluice/ports';
import type { Activity } from './activity';
import { createArchiveCalls } from './archive-calls';
import { createAssociateRecords } from './associate-records';
import { createAssociatedRecords } from './associated-records';
import { createAssociationCalls } from './association-calls';
import { createSingleTypes } from './association-limits';
import { createAssociationTypes } from './association-types';
import { createBoundedCache } from './bounded-cache';
import { createCreateRecord } from './create-record';
import { createDissociateCalls } from './dissociate-calls';
import { createDissociateRecords } from './dissociate-records';
import { createCrmFileOperations, type CrmFileOperations, failingFiles } from './crm-file-operations';
import { keepSent } from './echo-policy';
import { createFingerprints, noFingerprints } from './fingerprints';
import { createFindRecord } from './find-record';
import { type FileWork, maxTransfers } from './file-work';
import type { ClaimTimes } from './claim-times';
import { identitiesOf, unboundIdentities } from './identities-of';
import { createIdentityClaims } from './identity-claims';
import { createLandedWrites } from './landed-writes';
import { createMappingLookup } from './mapping-lookup';
import { createMappingRemovals } from './mapping-removals';
import { objectTypeName } from './object-type';
import { withoutOwnAddress } from './own-address';
import { createOwnApp, type OwnApp } from './own-app';
import { createPortalSession, type PortalSession, type PortalSessionDeps } from './portal-session';
import { createPromoteRecord } from './promote-record';
import { createPropertyCatalog, type PropertyCatalog } from './property-catalog';
import { createQueryRecords } from './query-records';
import { createRecordCalls } from './record-calls';
import { createRecordMappings } from './record-mappings';
import { createRecordSends } from './record-sends';
import type { NotedWrite } from './refused-properties';
import { createRemoveRecord } from './remove-record';
import { sideBySide } from './side-by-side';
import { createTransferGate, type TransferGate } from './transfer-gate';
import type { UnitContext } from './unit-context';
import { createUpdateById } from './update-by-id';
import { createUpsertRecord } from './upsert-record';
import type { WriterParts } from './writer-parts';

export interface CrmWriterDeps extends PortalSessionDeps {
  store: Pick<RunStore, 'mappings' | 'claim' | 'haveNewerWrites' | 'mappingsTo' | 'haveNewerRemovals'>;
  activity: Activity;
  /** Units under way at once (SLUICE_RUNNER_MAX_IN_FLIGHT). */
  maxInFlight: number;
  /** Mappings kept in memory (SLUICE_RUNNER_MAPPINGS), but at least some for each unit under way. */
  rememberedMappings: number;
  claimTimes: ClaimTimes;
  files: FileWork;
  /** What was written and sent a moment ago; absent: nothing of it is remembered. */
  echoes?: { kv: Pick<KeyValue, 'set' | 'getMany'>; windowMs: number };
}

/** Landed writes and mappings remembered: for each unit under way several, which are not settled yet. */
const [rememberedPerUnit, leastRemembered] = [4, 10_000];

/** Portals with coalescers kept; of one that is used again new ones are made. */
const maxPortals = 1_000;

/** The CRM writer: hands each unit of work its view of the CRM and coalesces what all of them ask for. */
export interface CrmWriter {
  /** @param unit null when the connector has no portal: every ask then fails with `crm_portal_not_bound` */
  recordsFor(unit: UnitContext | null): CrmRecords;
  filesFor(unit: UnitContext | null): CrmFiles;
  /** Its identity mappings; with null, `ready` fails so. */
  identitiesFor(unit: UnitContext | null): IdentityMap;
  /** What a request of the unit carried of a record is known when it comes back. */
  keepSent(unit: UnitContext, record: CarriedRecord): Promise<void>;
}

const notBound: CallFailure = {
  ok: false,
  kind: 'permanent',
  code: 'crm_portal_not_bound',
  message: 'the connector is not bound to a CRM portal',
};

const typed = <T extends { objectType: string }>(named: T): T => {
  const objectType = objectTypeName(named.objectType);
  return objectType === named.objectType ? named : { ...named, objectType };
};

/** Runs a write on properties of its own, and tells with its answer what of them was not written. */
async function noted(
  write: RecordWrite,
  run: (own: NotedWrite) => Promise<CallResult<RecordWriteResult>>,
): Promise<CallResult<RecordWriteResult>> {
  const own: NotedWrite = { ...write, properties: { ...write.properties }, warnings: [] };
  const answer = await run(own);
  return answer.ok && own.warnings.length > 0 ? { ok: true, value: { ...answer.value, warnings: own.warnings } } : answer;
}

const typedEnds = <T extends DissociateRequest>(request: T): T => ({
  ...request,
  from: typed(request.from),
  to: request.to.map(typed),
  toObjectType: objectTypeName(request.toObjectType),
});

/** A write of a record that no identity leads to. */
const writeById = ({ entity, objectType, properties, conflicts = null }: UpdateByIdRequest): RecordWrite => ({
  entity: entity ?? objectType,
  objectType,
  properties,
  conflicts,
  externalId: null,
  identityProperty: null,
  identityValue: null,
});

/** A step's `chunk_size` bounds the calls that its records travel in, whoever else travels with them. */
const inChunks = (unit: UnitContext, { chunkSize }: { chunkSize?: number }): UnitContext =>
  chunkSize === undefined ? unit : { ...unit, chunkSize };

function unboundRecords(): CrmRecords {
  const answer = (): Promise<CallResult<never>> => Promise.resolve(notBound);
  return {
    upsert: answer,
    update: answer,
    updateById: answer,
    find: answer,
    query: answer,
    associated: answer,
    associate: answer,
    create: answer,
    remove: answer,
    dissociate: answer,
    promote: answer,
  };
}

/** The record operations of one portal. */
interface PortalOperations {
  writes: ReturnType<typeof createUpsertRecord>;
  updateById: ReturnType<typeof createUpdateById>;
  query: ReturnType<typeof createQueryRecords>;
  associated: ReturnType<typeof createAssociatedRecords>;
  find: ReturnType<typeof createFindRecord>;
  associate: ReturnType<typeof createAssociateRecords>;
  create: ReturnType<typeof createCreateRecord>;
  remove: ReturnType<typeof createRemoveRecord>;
  dissociate: ReturnType<typeof createDissociateRecords>;
  promote: ReturnType<typeof createPromoteRecord>;
  files: CrmFileOperations;
}

function createPortalOperations(
  parts: WriterParts, session: PortalSession, files: { work: FileWork; gate: TransferGate },
): PortalOperations {
  const records = createRecordCalls(session, parts.activity);
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
    remove: createRemoveRecord(parts, session, records, createArchiveCalls(session, parts.activity)),
    dissociate: createDissociateRecords(parts, session, records, createDissociateCalls(session, parts.activity)),
    promote: createPromoteRecord(parts, session, records, parts.recordMappings),
    files: createCrmFileOperations(parts, session, records, files),
  };
}

/** What another process deleted was not deleted in the CRM by others: the mapping went with it, which this process learns now. */
const upsertOf =
  ({ mappings }: WriterParts, { writes }: PortalOperations): PortalOperations['writes']['upsert'] =>
  async (unit, write) => {
    const answer = await writes.upsert(unit, write);
    const { entity, externalId } = write;
    const isGone = !answer.ok && answer.code === 'target_deleted' && externalId !== null;
    return isGone && (await mappings.wasOutdated(unit, entity, externalId)) ? writes.upsert(unit, write) : answer;
  };

/** Definitions are read by one unit for all: meanwhile the others go on. */
function retryingCatalog(catalog: PropertyCatalog, activity: Activity): PropertyCatalog {
  return {
    ...catalog,
    isUnique: (session, objectType, property) => activity.waiting(catalog.isUnique(session, objectType, property)),
    definition: (session, objectType, property) => activity.waiting(catalog.definition(session, objectType, property)),
  };
}

/** Asked by one unit for all: meanwhile the others go on. */
const retryingOwnApp =
  (ownApp: OwnApp, activity: Activity): OwnApp =>
  (session) =>
    activity.waiting(ownApp(session));

export function createCrmWriter(deps: CrmWriterDeps): CrmWriter {
  const { activity, claimTimes, now, sleep } = deps;
  const remembered = Math.max(leastRemembered, rememberedPerUnit * deps.maxInFlight);
  const parts: WriterParts = {
    activity,
    claimTimes,
    now,
    sleep,
    mappings: createMappingLookup(deps.store, { activity, now, remembered: Math.max(remembered, deps.rememberedMappings) }),
    landed: createLandedWrites(deps.store, { activity, remembered }),
    claims: createIdentityClaims(deps.store, { activity, times: claimTimes, now }),
    catalog: retryingCatalog(createPropertyCatalog(now), activity),
    associationTypes: createAssociationTypes(now),
    singleTypes: createSingleTypes(now),
    recordMappings: createRecordMappings(deps.store, activity),
    removals: createMappingRemovals(deps.store, { activity, remembered }),
    fingerprints: deps.echoes ? createFingerprints(deps.echoes.kv, { ttlMs: deps.echoes.windowMs, activity }) : noFingerprints,
    ownApp: retryingOwnApp(createOwnApp(now), activity),
  };
  const files = { work: deps.files, gate: createTransferGate(maxTransfers, (work) => activity.waiting(work)) };
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
    recordsFor: (unit) => {
      if (!unit) return unboundRecords();
      const operations = operationsOf(unit.binding);
      const upsert = upsertOf(parts, operations);
      return sideBySide(activity, {
        upsert: (write) =>
          noted(withoutOwnAddress(typed(write)), (own) =>
            parts.removals.guard(unit, own, () => upsert(inChunks(unit, write), own))),
        update: (write) =>
          noted(withoutOwnAddress(typed(write)), (own) => operations.writes.update(inChunks(unit, write), own)),
        updateById: (request) =>
          noted(writeById(typed(request)), (own) => operations.updateById(unit, own, request.crmId)),
        query: (request) => operations.query(unit, typed(request)),
        associated: (request) =>
          operations.associated(unit, { ...typed(request), toObjectType: objectTypeName(request.toObjectType) }),
        find: (request) => operations.find(unit, typed(request)),
        associate: (request) => operations.associate(inChunks(unit, request), typedEnds(request)),
        create: (write) =>
          noted(typed(write), (own) => parts.removals.guard(unit, own, () => operations.create(inChunks(unit, write), own))),
        remove: (target) => operations.remove(inChunks(unit, target), typed(target)),
        dissociate: (request) => operations.dissociate(unit, typedEnds(request)),
        promote: ({ target, crmId }) => operations.promote(unit, { target: typed(target), crmId }),
      });
    },
  };
}
