import type {
  AssociateAnswer,
  AssociatedRequest,
  AssociateRequest,
  CallResult,
  CrmRecords,
  DissociateAnswer,
  DissociateRequest,
  FindRequest,
  FoundRecord,
  PromoteRequest,
  PromoteResult,
  PropertyValue,
  QueryAnswer,
  QueryRequest,
  RecordTarget,
  RecordWrite,
  RecordWriteResult,
  RemoveResult,
  UpdateByIdRequest,
} from '@sluice/ports';
import type { DryRunNotes } from './dry-run-notes';

interface Written {
  target: RecordTarget;
  crmId: string;
  properties: Record<string, PropertyValue>;
}

/** The CRM of a dry run: empty but for what the run itself wrote. It notes every request. */
export class StubRecords implements CrmRecords {
  private readonly written: Written[] = [];
  private made = 0;

  constructor(private readonly notes: DryRunNotes) {}

  /** The record that a write of this run made of a target. */
  known(target: RecordTarget): Written | undefined {
    return this.written.find((record) => isSame(record.target, target));
  }

  async upsert(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    return { ok: true, value: this.write('upsert', write, !this.known(write)) };
  }

  async update(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    if (!this.known(write)) this.notes.flag({ simulated_existing_record: true });
    return { ok: true, value: this.write('update', write, false) };
  }

  async updateById({ objectType, crmId, properties }: UpdateByIdRequest): Promise<CallResult<RecordWriteResult>> {
    this.notes.request({ operation: 'update', object_type: objectType, crm_id: crmId, properties });
    const made = this.written.find((record) => record.crmId === crmId && record.target.objectType === objectType);
    if (made) Object.assign(made.properties, properties);
    else this.notes.flag({ simulated_existing_record: true });
    return { ok: true, value: { crm_id: crmId, created: false, updated: true, skipped: false, reason: null } };
  }

  /** The CRM is empty to a query: what the run made would not be in the search index yet. */
  async query({ objectType, filterGroups, ...request }: QueryRequest): Promise<CallResult<QueryAnswer>> {
    this.notes.request({ operation: 'query', object_type: objectType, filter_groups: filterGroups, ...request });
    return { ok: true, value: { rows: [], total: 0 } };
  }

  async associated({ objectType, crmId, toObjectType, properties }: AssociatedRequest): Promise<CallResult<FoundRecord[]>> {
    const request = { object_type: objectType, crm_id: crmId, to_object_type: toObjectType, properties };
    this.notes.request({ operation: 'find_associated', ...request });
    return { ok: true, value: [] };
  }

  async create(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    return { ok: true, value: this.write('create', write, true) };
  }

  async remove(target: RecordTarget): Promise<CallResult<RemoveResult>> {
    const known = this.known(target);
    if (!known) this.notes.flag({ simulated_existing_record: true });
    else this.written.splice(this.written.indexOf(known), 1);
    const { objectType, entity, externalId } = target;
    this.notes.request({ operation: 'delete', object_type: objectType, entity, external_id: externalId });
    return {
      ok: true,
      value: { crm_id: known?.crmId ?? null, deleted: true, already_absent: false, skipped: false, reason: null },
    };
  }

  async dissociate(request: DissociateRequest): Promise<DissociateAnswer> {
    this.notes.request({
      operation: 'dissociate',
      from: endOf(request.from),
      to: request.to.map(endOf),
      association_type_id: request.associationTypeId ?? null,
      association_category: request.associationCategory ?? null,
    });
    const results = request.to.map(({ externalId }) => ({
      to_external_id: externalId,
      status: externalId === null ? ('skipped' as const) : ('removed' as const),
      error: null,
    }));
    const removed = results.filter(({ status }) => status === 'removed').length;
    return { ok: true, value: { removed, failed: 0, skipped: results.length - removed, results } };
  }

  async promote({ target, crmId }: PromoteRequest): Promise<CallResult<PromoteResult>> {
    const { objectType, identityProperty, identityValue } = target;
    this.notes.flag({ simulated_existing_record: true });
    this.notes.request({
      operation: 'promote_identity',
      object_type: objectType,
      crm_id: crmId,
      properties: { [identityProperty ?? '']: identityValue },
    });
    return { ok: true, value: { promoted: true, crm_id: crmId, previous_external_id: null, reason: null, conflict: null } };
  }

  /** Notes a write and keeps its record for later steps. `created`: whether the record is taken to be new. */
  write(operation: 'create' | 'update' | 'upsert', write: RecordWrite, created: boolean): RecordWriteResult {
    const { objectType, entity, externalId, identityProperty, identityValue, properties } = write;
    this.notes.request({
      operation,
      object_type: objectType,
      entity,
      external_id: externalId,
      identity: identityProperty === null ? null : { property: identityProperty, value: identityValue },
      properties,
    });
    const record = this.known(write) ?? this.add(write);
    Object.assign(record.properties, properties);
    return { crm_id: record.crmId, created, updated: !created, skipped: false, reason: null };
  }

  async find({ objectType, match, through }: FindRequest): Promise<CallResult<{ record: FoundRecord | null; count: number }>> {
    this.notes.request({ operation: 'find', object_type: objectType, ...(through ? { through } : { match }) });
    const found = this.written.filter(({ target, properties }) => {
      if (through) return target.entity === through.entity && target.externalId === through.externalId;
      const pairs = Object.entries(match);
      return target.objectType === objectType && pairs.every(([name, value]) => text(properties[name]) === text(value));
    });
    const [first] = found;
    return { ok: true, value: { record: first ? asFound(first) : null, count: found.length } };
  }

  async associate(request: AssociateRequest): Promise<AssociateAnswer> {
    const named = request.to.filter(({ externalId }) => externalId !== null);
    const missing = [request.from, ...named].find((target) => !this.known(target));
    this.notes.request({
      operation: 'associate',
      from: endOf(request.from),
      to: named.map(endOf),
      association_type_id: request.associationTypeId ?? null,
      association_category: request.associationCategory ?? null,
      replace: request.replace === true,
    });
    if (missing) this.notes.cannotVerify(`${missing.entity} '${missing.externalId ?? ''}' was not upserted earlier in this flow`);
    const results = request.to.map(({ externalId }) => {
      const status = externalId === null ? ('skipped' as const) : ('associated' as const);
      return { to_external_id: externalId, status, error: null };
    });
    const skipped = results.length - named.length;
    return { ok: true, value: { associated: named.length, failed: 0, skipped, removed: 0, results } };
  }

  private add(target: RecordTarget): Written {
    this.made += 1;
    const record = { target, crmId: `dry-run-crm-id-${this.made}`, properties: {} };
    this.written.push(record);
    return record;
  }
}

function isSame(one: RecordTarget, other: RecordTarget): boolean {
  const mapped = one.entity === other.entity && one.externalId !== null && one.externalId === other.externalId;
  const identified = one.identityValue !== null && text(one.identityValue) === text(other.identityValue);
  return mapped || (one.objectType === other.objectType && one.identityProperty === other.identityProperty && identified);
}

const text = (value: PropertyValue | undefined): string =>
  String(value ?? '')
    .trim()
    .toLowerCase();

const endOf = ({ entity, objectType, externalId }: RecordTarget): object => ({
  entity,
  object_type: objectType,
  external_id: externalId,
});

function asFound({ crmId, properties }: Written): FoundRecord {
  const values = Object.entries(properties).map(([name, value]) => [name, value === null ? null : String(value)]);
  return { crm_id: crmId, properties: Object.fromEntries(values) as FoundRecord['properties'] };
}
