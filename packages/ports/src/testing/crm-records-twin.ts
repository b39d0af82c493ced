import type { AssociatedRequest, QueryAnswer, QueryRequest } from '../crm-lookups';
import type {
  AssociateRequest,
  AssociateResult,
  CallFailure,
  FailureCode,
  CallResult,
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

/** A record the twin starts with. `mapped`: an identity mapping that already leads to it. */
export interface TwinRecord {
  objectType: string;
  crm_id?: string;
  properties: Record<string, PropertyValue>;
  mapped?: { entity: string; externalId: string };
}

interface Stored {
  crm_id: string;
  objectType: string;
  properties: Record<string, string>;
}

/** An association as the twin keeps it, by CRM ids. */
export interface TwinAssociation {
  from: string;
  to: string;
  typeId: number | null;
}

/** Twin of CrmRecords: searches by identity, keeps mappings and associations. Not a CRM: no limits, no lag, no claims. */
export class CrmRecordsTwin implements CrmRecords {
  private readonly stored = new Map<string, Stored>();
  private readonly mappings = new Map<string, string>();
  private readonly links = new Map<string, TwinAssociation>();
  private readonly failures: CallFailure[] = [];
  private nextId = 1;

  constructor(records: readonly TwinRecord[] = [], links: readonly [from: string, to: string][] = []) {
    for (const record of records) {
      const crmId = this.add(record.objectType, record.properties, record.crm_id);
      if (record.mapped) this.mappings.set(mappingKey(record.mapped.entity, record.mapped.externalId), crmId);
    }
    for (const [from, to] of links) this.link(from, to, null);
  }

  /** The next call answers this failure instead of doing anything. */
  failNext(failure: Omit<CallFailure, 'ok'>): void {
    this.failures.push({ ok: false, ...failure });
  }

  /** What the twin holds, in order of creation. */
  records(objectType?: string): { crm_id: string; objectType: string; properties: Record<string, string> }[] {
    return [...this.stored.values()].filter((record) => objectType === undefined || record.objectType === objectType);
  }

  associations(): TwinAssociation[] {
    return [...this.links.values()];
  }

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
    const record = existing ?? this.create(write.objectType);
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

  async associated({ crmId, toObjectType, properties }: AssociatedRequest): Promise<CallResult<FoundRecord[]>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const ids = this.associations().flatMap(({ from, to }) => (from === crmId ? [to] : to === crmId ? [from] : []));
    const records = [...new Set(ids)].flatMap((id) => this.stored.get(id) ?? []);
    return {
      ok: true,
      value: records.filter(({ objectType }) => objectType === toObjectType).map((record) => found(record, properties)),
    };
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
    if (unnamed(request.from)) return { ok: true, value: report(request.to.map((target) => ({ target, skipped: true })), 0) };
    const from = this.lookUp(request.from);
    const known = request.to.filter((target) => !unnamed(target));
    const ends = known.map((target) => this.lookUp(target));
    if (!from || ends.includes(undefined)) return notSynced(from ? known[ends.indexOf(undefined)]! : request.from);
    const removed = request.replace ? this.unlinkOthers(from.crm_id, request.toObjectType, ends.map((to) => to!.crm_id)) : 0;
    ends.forEach((to) => this.link(from.crm_id, to!.crm_id, request.associationTypeId ?? null));
    return { ok: true, value: report(request.to.map((target) => ({ target, skipped: unnamed(target) })), removed) };
  }

  /** A record somebody else made; answers its id. */
  add(objectType: string, properties: Record<string, PropertyValue>, crmId?: string): string {
    const record = this.create(objectType, crmId);
    assign(record.properties, properties);
    return record.crm_id;
  }

  /** Somebody deletes a record; mappings stay. */
  remove(crmId: string): void {
    this.stored.delete(crmId);
  }

  private create(objectType: string, crmId?: string): Stored {
    const record: Stored = { crm_id: crmId ?? String(this.nextId++), objectType, properties: {} };
    this.stored.set(record.crm_id, record);
    return record;
  }

  private lookUp(target: RecordTarget): Stored | undefined {
    const [mapped] = target.externalId === null ? [] : this.mapped(target.entity, target.externalId);
    return mapped ?? this.byIdentity(target);
  }

  private byIdentity({ objectType, identityProperty, identityValue }: RecordTarget): Stored | undefined {
    return identityProperty === null || identityValue === null
      ? undefined
      : this.matching(objectType, { [identityProperty]: identityValue })[0];
  }

  private mapped(entity: string, externalId: string): Stored[] {
    const record = this.stored.get(this.mappings.get(mappingKey(entity, externalId)) ?? '');
    return record ? [record] : [];
  }

  private matching(objectType: string, match: Record<string, PropertyValue>): Stored[] {
    const pairs = Object.entries(match).map(([name, value]) => [name, stored(value).trim().toLowerCase()] as const);
    // Nothing equals an absent value.
    if (pairs.length === 0 || pairs.some(([, value]) => value === '')) return [];
    return this.records(objectType).filter((record) =>
      pairs.every(([name, value]) => record.properties[name]?.toLowerCase() === value),
    );
  }

  private link(from: string, to: string, typeId: number | null): void {
    this.links.set(JSON.stringify([from, to, typeId]), { from, to, typeId });
  }

  private unlinkOthers(from: string, toType: string, kept: readonly string[]): number {
    const others = [...this.links].filter(
      ([, link]) => link.from === from && this.stored.get(link.to)?.objectType === toType && !kept.includes(link.to),
    );
    for (const [key] of others) this.links.delete(key);
    return others.length;
  }
}

function mappingKey(entity: string, externalId: string): string {
  return JSON.stringify([entity, externalId]);
}

/** The CRM keeps every value as text; an empty text is no value. */
function stored(value: PropertyValue): string {
  return value === null ? '' : String(value);
}

function assign(target: Record<string, string>, properties: Record<string, PropertyValue>): void {
  for (const [name, value] of Object.entries(properties)) {
    if (stored(value) === '') delete target[name];
    else target[name] = name === 'email' ? stored(value).toLowerCase() : stored(value);
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

const skipped = (reason: string): CallResult<RecordWriteResult> => ({
  ok: true,
  value: { crm_id: null, created: false, updated: false, skipped: true, reason },
});

const refused = (code: FailureCode, message: string): CallFailure => ({ ok: false, kind: 'permanent', code, message });

function found(record: Stored, properties: string[]): FoundRecord {
  return {
    crm_id: record.crm_id,
    properties: Object.fromEntries(properties.map((name) => [name, record.properties[name] ?? null])),
  };
}

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
