import type {
  CallFailure, CallResult, CrmRecords, DissociateRequest, RecordWrite, RecordWriteResult, UpdateByIdRequest,
} from '@sluice/ports';
import type { createAssociateRecords } from './associations/associate-records';
import type { createAssociatedRecords } from './associations/associated-records';
import type { CreateRecord } from './writing/create-record';
import type { createDissociateRecords } from './associations/dissociate-records';
import type { createFindRecord } from './finding/find-record';
import { objectTypeName } from './shared/object-type';
import { withoutKnownAddress } from './calls/contact-address';
import type { createPromoteRecord } from './writing/promote-record';
import type { createQueryRecords } from './finding/query-records';
import type { NotedWrite } from './writing/refused-properties';
import type { createRemoveRecord } from './writing/remove-record';
import type { UnitContext } from './shared/unit-context';
import type { createUpdateById } from './writing/update-by-id';
import type { createUpsertRecord } from './writing/upsert-record';
import type { WriterParts } from './state/writer-parts';

/** The record operations of one portal, for all units. */
export interface RecordOperations {
  writes: ReturnType<typeof createUpsertRecord>;
  updateById: ReturnType<typeof createUpdateById>;
  query: ReturnType<typeof createQueryRecords>;
  associated: ReturnType<typeof createAssociatedRecords>;
  find: ReturnType<typeof createFindRecord>;
  associate: ReturnType<typeof createAssociateRecords>;
  create: CreateRecord;
  remove: ReturnType<typeof createRemoveRecord>;
  dissociate: ReturnType<typeof createDissociateRecords>;
  promote: ReturnType<typeof createPromoteRecord>;
}

type Written = CallResult<RecordWriteResult>;
type Request<Method extends keyof CrmRecords> = Parameters<CrmRecords[Method]>[0];
type Answer<Method extends keyof CrmRecords> = ReturnType<CrmRecords[Method]>;

/**
 * The port to the CRM's records for one attempt of one unit. A class, because one is made for every attempt, and closures for
 * each operation took several kilobytes more.
 */
export class UnitRecords implements CrmRecords {
  private underWay = 0;

  constructor(
    private readonly unit: UnitContext,
    private readonly operations: RecordOperations,
    private readonly parts: Pick<WriterParts, 'activity' | 'mappings' | 'removals'>,
  ) {
    unit.removalsSeen = parts.mappings.removalsSoFar();
  }

  upsert(write: Request<'upsert'>): Answer<'upsert'> {
    const { unit, parts } = this;
    const sender = inChunks(unit, write);
    return this.written(withoutKnownAddress(typed(write)), (own) =>
      parts.removals.guard(unit, own, () => this.upsertMapped(sender, own)),
    );
  }

  update(write: Request<'update'>): Answer<'update'> {
    const { unit, operations } = this;
    return this.written(withoutKnownAddress(typed(write)), (own) => operations.writes.update(inChunks(unit, write), own));
  }

  updateById(request: Request<'updateById'>): Answer<'updateById'> {
    const { unit, operations } = this;
    return this.written(writeById(typed(request)), (own) => operations.updateById(unit, own, request.crmId));
  }

  create(write: Request<'create'>): Answer<'create'> {
    const { unit, operations, parts } = this;
    const sender = inChunks(unit, write);
    return this.written(typed(write), (own) => parts.removals.guard(unit, own, () => operations.create(sender, own)));
  }

  query(request: Request<'query'>): Answer<'query'> {
    return this.counted(() => this.operations.query(this.unit, typed(request)));
  }

  associated(request: Request<'associated'>): Answer<'associated'> {
    const asked = { ...typed(request), toObjectType: objectTypeName(request.toObjectType) };
    return this.counted(() => this.operations.associated(this.unit, asked));
  }

  find(request: Request<'find'>): Answer<'find'> {
    return this.counted(() => this.operations.find(this.unit, typed(request)));
  }

  associate(request: Request<'associate'>): Answer<'associate'> {
    return this.counted(() => this.operations.associate(inChunks(this.unit, request), typedEnds(request)));
  }

  remove(target: Request<'remove'>): Answer<'remove'> {
    return this.counted(() => this.operations.remove(inChunks(this.unit, target), typed(target)));
  }

  dissociate(request: Request<'dissociate'>): Answer<'dissociate'> {
    return this.counted(() => this.operations.dissociate(inChunks(this.unit, request), typedEnds(request)));
  }

  promote({ target, crmId }: Request<'promote'>): Answer<'promote'> {
    return this.counted(() => this.operations.promote(this.unit, { target: typed(target), crmId }));
  }

  /**
   * Counts the unit once for each of the calls that it has under way. A waiting call lowers the count of active units by one: if
   * the unit were counted once, several waiting calls would make the count negative, and no batch would start.
   */
  private async counted<R>(call: () => Promise<R>): Promise<R> {
    this.begun();
    try {
      return await call();
    } finally {
      this.ended();
    }
  }

  private begun(): void {
    if (this.underWay > 0) this.parts.activity.enter();
    this.underWay += 1;
  }

  private ended(): void {
    this.underWay -= 1;
    if (this.underWay > 0) this.parts.activity.leave();
  }

  /** Runs a write on its own copy of the properties, and adds to the answer which of them were not written. */
  private async written(write: RecordWrite, run: (own: NotedWrite) => Promise<Written>): Promise<Written> {
    const own: NotedWrite = { warnings: [], ...write, properties: { ...write.properties } };
    this.begun();
    try {
      const answer = await run(own);
      return answer.ok && own.warnings.length > 0 ? { ok: true, value: { ...answer.value, warnings: own.warnings } } : answer;
    } finally {
      this.ended();
    }
  }

  /**
   * A record that another process of Sluice deleted does not count as deleted by people in the CRM: that process also removed the
   * mapping, so the write is repeated without the cached one.
   */
  private upsertMapped(unit: UnitContext, write: NotedWrite): Promise<Written> {
    const upserted = this.operations.writes.upsert(unit, write);
    return upserted.then((answer) => (isGone(answer) ? this.upsertAnew(unit, write, answer) : answer));
  }

  private async upsertAnew(unit: UnitContext, write: NotedWrite, gone: Written): Promise<Written> {
    const { entity, externalId } = write;
    const wasOutdated = externalId !== null && (await this.parts.mappings.wasOutdated(unit, entity, externalId));
    return wasOutdated ? this.operations.writes.upsert(unit, write) : gone;
  }
}

const isGone = (answer: Written): boolean => !answer.ok && answer.code === 'target_deleted';

/** Without a portal every request fails. */
export function unboundRecords(failure: CallFailure): CrmRecords {
  const answer = (): Promise<CallFailure> => Promise.resolve(failure);
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

const typed = <T extends { objectType: string }>(named: T): T => {
  const objectType = objectTypeName(named.objectType);
  return objectType === named.objectType ? named : { ...named, objectType };
};

const typedEnds = <T extends DissociateRequest>(request: T): T => ({
  ...request,
  from: typed(request.from),
  to: request.to.map(typed),
  toObjectType: objectTypeName(request.toObjectType),
});

/** A write to a record that is named by its id only. */
const writeById = ({ entity, objectType, properties, conflicts = null }: UpdateByIdRequest): RecordWrite => ({
  entity: entity ?? objectType,
  objectType,
  properties,
  conflicts,
  externalId: null,
  identityProperty: null,
  identityValue: null,
});

/** A step's `chunk_size` bounds the size of every call that contains its records, also together with those of others. */
const inChunks = (unit: UnitContext, { chunkSize }: { chunkSize?: number }): UnitContext =>
  chunkSize === undefined ? unit : { ...unit, chunkSize };
