import type {
  AssociateRequest,
  AssociateResult,
  CallFailure,
  CallResult,
  CrmRecords,
  FindRequest,
  FoundRecord,
  PropertyValue,
  RecordTarget,
  RecordWrite,
  RecordWriteResult,
} from '../crm-records';

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

/** CrmRecords in memory: searches by identity, keeps mappings and associations. Not a CRM: no limits, no lag. */
export class CrmRecordsTwin implements CrmRecords {
  private readonly stored = new Map<string, Stored>();
  private readonly mappings = new Map<string, string>();
  private readonly links = new Map<string, TwinAssociation>();
  private readonly failures: CallFailure[] = [];
  private nextId = 1;

  constructor(records: readonly TwinRecord[] = []) {
    for (const record of records) {
      const stored = this.add(record.objectType, record.properties, record.crm_id);
      if (record.mapped) this.mappings.set(mappingKey(record.mapped.entity, record.mapped.externalId), stored.crm_id);
    }
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
    const existing = this.lookUp(write);
    const record = existing ?? this.add(write.objectType, write.properties);
    if (write.externalId !== null) this.mappings.set(mappingKey(write.entity, write.externalId), record.crm_id);
    if (!existing) return written(record, 'created');
    const changes = Object.entries(write.properties).filter(([name, value]) => (record.properties[name] ?? '') !== stored(value));
    assign(record.properties, Object.fromEntries(changes));
    return written(record, changes.length > 0 ? 'updated' : 'skipped');
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
    const from = this.lookUp(request.from);
    const known = request.to.filter((target) => target.externalId !== null);
    const ends = known.map((target) => this.lookUp(target));
    if (!from || ends.includes(undefined)) return notSynced(from ? known[ends.indexOf(undefined)]! : request.from);
    const removed = request.replace ? this.unlinkOthers(from.crm_id, request.toObjectType, ends.map((to) => to!.crm_id)) : 0;
    ends.forEach((to) => this.link(from.crm_id, to!.crm_id, request.associationTypeId ?? null));
    return { ok: true, value: report(request.to, removed) };
  }

  private add(objectType: string, properties: Record<string, PropertyValue>, crmId?: string): Stored {
    const record: Stored = { crm_id: crmId ?? String(this.nextId++), objectType, properties: {} };
    assign(record.properties, properties);
    this.stored.set(record.crm_id, record);
    return record;
  }

  private lookUp(target: RecordTarget): Stored | undefined {
    const [mapped] = target.externalId === null ? [] : this.mapped(target.entity, target.externalId);
    if (mapped || target.identityProperty === null || target.identityValue === null) return mapped;
    return this.matching(target.objectType, { [target.identityProperty]: target.identityValue })[0];
  }

  private mapped(entity: string, externalId: string): Stored[] {
    const record = this.stored.get(this.mappings.get(mappingKey(entity, externalId)) ?? '');
    return record ? [record] : [];
  }

  private matching(objectType: string, match: Record<string, PropertyValue>): Stored[] {
    const pairs = Object.entries(match);
    return this.records(objectType).filter((record) => pairs.every(([name, value]) => record.properties[name] === stored(value)));
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
    else target[name] = stored(value);
  }
}

function written(record: Stored, how: 'created' | 'updated' | 'skipped'): CallResult<RecordWriteResult> {
  const reason = how === 'skipped' ? 'unchanged' : null;
  return {
    ok: true,
    value: { crm_id: record.crm_id, created: how === 'created', updated: how === 'updated', skipped: how === 'skipped', reason },
  };
}

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

function report(to: RecordTarget[], removed: number): AssociateResult {
  const results = to.map(({ externalId }) => ({
    to_external_id: externalId,
    status: externalId === null ? ('skipped' as const) : ('associated' as const),
    error: null,
  }));
  const associated = results.filter((result) => result.status === 'associated').length;
  return { associated, failed: 0, skipped: results.length - associated, removed, results };
}
