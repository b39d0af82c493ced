import type {
  DissociateAnswer,
  DissociateRequest,
  DissociateResult,
  PromoteRequest,
  PromoteResult,
  RemoveResult,
} from '../crm-lifecycle';
import type { AssociatedRequest, QueryAnswer, QueryRequest } from '../crm-lookups';
import type {
  AssociateRequest,
  AssociateResult,
  CallFailure,
  FailureCode,
  CallResult,
  OutcomeReason,
  CrmRecords,
  FindRequest,
  FoundRecord,
  PropertyValue,
  RecordTarget,
  RecordWrite,
  RecordWriteResult,
} from '../crm-records';
import type { UpdateByIdRequest } from '../crm-updates';
import { queriedRecords } from './twin-query';

import { assign, found, mappingKey, stored, TwinStore, type Stored } from './twin-store';

export type { TwinAssociation, TwinRecord } from './twin-store';

/** Twin of CrmRecords: searches by identity, keeps mappings and associations. Not a CRM: no limits, no lag, no claims. */
export class CrmRecordsTwin extends TwinStore implements CrmRecords {
  async upsert(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const mapped = write.externalId === null ? undefined : this.mappings.get(mappingKey(write.entity, write.externalId));
    const known = mapped === undefined ? this.byIdentity(write) : this.stored.get(mapped);
    if (mapped !== undefined && !known && write.onTargetDeleted !== 'recreate')
      return refused('target_deleted', `the ${write.entity} record was deleted in the CRM`);
    const existing = known ?? this.byIdentity(write);
    if (!existing && (write.identityProperty === null || write.identityValue === null))
      return refused('identity_missing', `entity '${write.entity}' has no identity value in this event`);
    if (existing && breaksGuard(existing, write))
      return refused('identity_guard', `more than ${write.guard!.max_changed} of the guarded properties would change`);
    const record = existing ?? this.make(write.objectType);
    assign(record.properties, write.properties);
    if (write.externalId !== null) this.mappings.set(mappingKey(write.entity, write.externalId), record.crm_id);
    return {
      ok: true,
      value: { crm_id: record.crm_id, created: !existing, updated: existing !== undefined, skipped: false, reason: null },
    };
  }

  async update(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const mapped = write.externalId === null ? undefined : this.mappings.get(mappingKey(write.entity, write.externalId));
    const existing = (mapped === undefined ? undefined : this.stored.get(mapped)) ?? this.byIdentity(write);
    if (!existing) return skipped(mapped === undefined ? 'record_not_found' : 'target_deleted');
    if (breaksGuard(existing, write))
      return refused('identity_guard', `more than ${write.guard!.max_changed} of the guarded properties would change`);
    if (write.externalId !== null) this.mappings.set(mappingKey(write.entity, write.externalId), existing.crm_id);
    return updated(existing, write.properties);
  }

  async create(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const { entity, externalId } = write;
    const mapped = externalId === null ? undefined : this.mappings.get(mappingKey(entity, externalId));
    if (mapped !== undefined) return skipped('already_mapped', mapped);
    if (write.identityProperty === null || write.identityValue === null)
      return refused('identity_missing', `entity '${entity}' has no identity value in this event`);
    const existing = this.byIdentity(write);
    if (existing) return skipped('already_exists', existing.crm_id);
    const record = this.make(write.objectType);
    assign(record.properties, write.properties);
    if (externalId !== null) this.mappings.set(mappingKey(entity, externalId), record.crm_id);
    return { ok: true, value: { crm_id: record.crm_id, created: true, updated: false, skipped: false, reason: null } };
  }

  async remove(target: RecordTarget): Promise<CallResult<RemoveResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const { entity, externalId } = target;
    const mapped = externalId === null ? undefined : this.mappings.get(mappingKey(entity, externalId));
    const crmId = mapped ?? this.byIdentity(target)?.crm_id ?? null;
    const facts = { crm_id: crmId, skipped: crmId === null, reason: crmId === null ? ('record_not_found' as const) : null };
    const wasThere = crmId !== null && this.stored.has(crmId);
    if (crmId !== null) this.deleteRecord(crmId);
    if (externalId !== null) this.mappings.delete(mappingKey(entity, externalId));
    return { ok: true, value: { ...facts, deleted: crmId !== null, already_absent: crmId !== null && !wasThere } };
  }

  async dissociate({ from, to, associationTypeId }: DissociateRequest): Promise<DissociateAnswer> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const start = this.lookUp(from);
    const results = to.map((target): DissociateResult['results'][number] => {
      const end = this.lookUp(target);
      if (start && end) this.unlink(start.crm_id, end.crm_id, associationTypeId ?? null);
      return { to_external_id: target.externalId, status: start && end ? 'removed' : 'skipped', error: null };
    });
    const removed = results.filter(({ status }) => status === 'removed').length;
    return { ok: true, value: { removed, failed: 0, skipped: results.length - removed, results } };
  }

  async promote({ target, crmId }: PromoteRequest): Promise<CallResult<PromoteResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const { entity, externalId, identityProperty, identityValue } = target;
    if (identityProperty === null || identityValue === null || externalId === null)
      return refused('identity_missing', `entity '${entity}' has no identity property to promote to`);
    const mapped = this.mappings.get(mappingKey(entity, externalId));
    if (mapped === crmId) return promotion(crmId, externalId, { reason: 'already_mapped' });
    const record = this.stored.get(crmId);
    if (record?.objectType !== target.objectType)
      return refused('crm_not_found', `no ${target.objectType} with id ${crmId} exists`);
    if (mapped !== undefined) return conflict(crmId, null, `external id '${externalId}' is mapped to the record ${mapped}`);
    const held = record.properties[identityProperty] ?? '';
    if (held !== '' && held.toLowerCase() !== identityValue.trim().toLowerCase())
      return conflict(crmId, held, `record ${crmId} has the identity '${held}'`);
    const other = this.externalIdOf(entity, crmId);
    if (other !== null) return conflict(crmId, other, `record ${crmId} is mapped to the external id '${other}'`);
    const holder = this.byIdentity(target);
    if (holder && holder !== record) return conflict(crmId, null, `the identity is that of the record ${holder.crm_id}`);
    assign(record.properties, { [identityProperty]: identityValue });
    this.mappings.set(mappingKey(entity, externalId), crmId);
    return promotion(crmId, null, { promoted: true });
  }

  async updateById({ objectType, crmId, properties }: UpdateByIdRequest): Promise<CallResult<RecordWriteResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const record = this.stored.get(crmId);
    return record?.objectType === objectType
      ? updated(record, properties)
      : refused('crm_not_found', `no ${objectType} with id ${crmId} exists`);
  }

  async query(request: QueryRequest): Promise<CallResult<QueryAnswer>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const all = queriedRecords(this.records(), request);
    const rows = all.slice(0, request.limit).map((record) => found(record, request.properties));
    return { ok: true, value: { rows, total: all.length } };
  }

  async associated({ crmId, toObjectType, properties, limit }: AssociatedRequest): Promise<CallResult<FoundRecord[]>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const ids = this.associations().flatMap(({ from, to }) => (from === crmId ? [to] : to === crmId ? [from] : []));
    const records = [...new Set(ids)].flatMap((id) => this.stored.get(id) ?? []);
    const linked = records.filter(({ objectType }) => objectType === toObjectType).slice(0, limit);
    return { ok: true, value: linked.map((record) => found(record, properties)) };
  }

  async find(request: FindRequest): Promise<CallResult<{ record: FoundRecord | null; count: number }>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const matches = request.through
      ? this.mapped(request.through.entity, request.through.externalId)
      : this.matching(request.objectType, request.match);
    const [first] = matches;
    return { ok: true, value: { record: first ? found(first, request.properties) : null, count: matches.length } };
  }

  async associate(request: AssociateRequest): Promise<CallResult<AssociateResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const unnamed = (target: RecordTarget): boolean => target.externalId === null && target.identityValue === null;
    if (unnamed(request.from))
      return {
        ok: true,
        value: report(
          request.to.map((target) => ({ target, skipped: true })),
          0,
        ),
      };
    const from = this.lookUp(request.from);
    const known = request.to.filter((target) => !unnamed(target));
    const ends = known.map((target) => this.lookUp(target));
    if (!from || ends.includes(undefined)) return notSynced(from ? known[ends.indexOf(undefined)]! : request.from);
    const removed = request.replace
      ? this.unlinkOthers(
          from.crm_id,
          request.toObjectType,
          ends.map((to) => to!.crm_id),
        )
      : 0;
    ends.forEach((to) => this.link(from.crm_id, to!.crm_id, request.associationTypeId ?? null));
    return {
      ok: true,
      value: report(
        request.to.map((target) => ({ target, skipped: unnamed(target) })),
        removed,
      ),
    };
  }
}

function breaksGuard(record: Stored, { guard, properties }: RecordWrite): boolean {
  const changed = (guard?.properties ?? []).filter(
    (name) => properties[name] !== undefined && (record.properties[name] ?? '') !== stored(properties[name]),
  );
  return guard !== undefined && guard !== null && changed.length > guard.max_changed;
}

function updated(record: Stored, properties: Record<string, PropertyValue>): CallResult<RecordWriteResult> {
  assign(record.properties, properties);
  return { ok: true, value: { crm_id: record.crm_id, created: false, updated: true, skipped: false, reason: null } };
}

const skipped = (reason: OutcomeReason, crmId: string | null = null): CallResult<RecordWriteResult> => ({
  ok: true,
  value: { crm_id: crmId, created: false, updated: false, skipped: true, reason },
});

const refused = (code: FailureCode, message: string): CallFailure => ({ ok: false, kind: 'permanent', code, message });

function notSynced(target: RecordTarget): CallFailure {
  return {
    ok: false,
    kind: 'transient',
    code: 'related_record_not_synced',
    message: `${target.entity} '${target.externalId ?? ''}' is not in the CRM yet`,
    stepsAside: true,
  };
}

function report(to: { target: RecordTarget; skipped: boolean }[], removed: number): AssociateResult {
  const results = to.map(({ target, skipped }) => ({
    to_external_id: target.externalId,
    status: skipped ? ('skipped' as const) : ('associated' as const),
    error: null,
  }));
  const skipped = results.filter((result) => result.status === 'skipped').length;
  return { associated: results.length - skipped, failed: 0, skipped, removed, results };
}

function promotion(crmId: string, previous: string | null, more: Partial<PromoteResult>): CallResult<PromoteResult> {
  const facts = { promoted: false, crm_id: crmId, previous_external_id: previous, reason: null, conflict: null };
  return { ok: true, value: { ...facts, ...more } };
}

function conflict(crmId: string, previous: string | null, message: string): CallResult<PromoteResult> {
  return promotion(crmId, previous, { reason: 'identity_conflict', conflict: message });
}
