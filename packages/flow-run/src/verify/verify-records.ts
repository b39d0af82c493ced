import type {
  AssociateAnswer, AssociateRequest, CallFailure, CallResult, CrmPropertyDefinition, CrmRecords, DissociateAnswer,
  DissociateRequest, FoundRecord, PromoteRequest, PromoteResult, PropertyValue, RecordTarget, RecordWrite, RecordWriteResult,
  RemoveResult,
  UpdateByIdRequest,
} from '@sluice/ports';
import { sameValue } from './same-value';

/** The CRM for verify, read-only. */
export interface VerifyReader extends Pick<CrmRecords, 'find' | 'query' | 'associated'> {
  /** null: there is no such record. */
  readById(objectType: string, crmId: string, properties: string[]): Promise<CallResult<FoundRecord | null>>;
  /** null: there is no such property. */
  definition(objectType: string, property: string): Promise<CallResult<CrmPropertyDefinition | null>>;
}

/** One property: the expected and the actual value. */
export interface VerifiedProperty {
  name: string;
  expected: PropertyValue;
  actual: string | null;
  match: boolean;
}

/** One record of an event. `reason`: why it cannot be verified. */
export interface VerifiedRecord {
  entity_name: string | null;
  external_id: string | null;
  crm_id: string | null;
  status: 'match' | 'mismatch' | 'missing' | 'not_verifiable';
  properties: VerifiedProperty[];
  reason: string | null;
}

/** The expected state of one record after the steps of a run. */
interface Wish extends Pick<VerifiedRecord, 'entity_name' | 'external_id'> {
  objectType: string;
  crmId: string | null;
  /** The record should not exist. */
  gone: boolean;
  expected: Record<string, PropertyValue>;
  failure: CallFailure | null;
  /** Why the expected state is unknown. */
  unknown: string | null;
}

const landed = (crmId: string | null): { ok: true; value: RecordWriteResult } => ({
  ok: true,
  value: { crm_id: crmId, created: false, updated: true, skipped: false, reason: null },
});

/** The CRM port of a run that verifies: every write is noted with its record, and none is made. */
export class VerifyRecords implements CrmRecords {
  private readonly wishes: Wish[] = [];
  /** Why the running step's values are not known; null: they are. */
  private unknown: string | null = null;

  constructor(private readonly reader: VerifyReader) {}

  begin(unknown: string | null): void {
    this.unknown = unknown;
  }

  find(...asked: Parameters<CrmRecords['find']>): ReturnType<CrmRecords['find']> {
    return this.reader.find(...asked);
  }
  query(...asked: Parameters<CrmRecords['query']>): ReturnType<CrmRecords['query']> {
    return this.reader.query(...asked);
  }
  associated(...asked: Parameters<CrmRecords['associated']>): ReturnType<CrmRecords['associated']> {
    return this.reader.associated(...asked);
  }

  upsert(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    return this.wish(write);
  }

  update(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    return this.wish(write);
  }

  async updateById({ objectType, crmId, properties }: UpdateByIdRequest): Promise<CallResult<RecordWriteResult>> {
    this.note({ objectType, crmId, entity_name: null, external_id: null, expected: properties, failure: null, gone: false });
    return landed(crmId);
  }

  create(write: RecordWrite): Promise<CallResult<RecordWriteResult>> {
    return this.wish(write);
  }

  async remove(target: RecordTarget): Promise<CallResult<RemoveResult>> {
    const { ok } = await this.wish({ ...target, properties: {} }, true);
    return { ok, value: { crm_id: null, deleted: true, already_absent: false, skipped: false, reason: null } };
  }

  async promote({ target, crmId }: PromoteRequest): Promise<CallResult<PromoteResult>> {
    const { objectType, entity, externalId, identityProperty, identityValue } = target;
    const expected = identityProperty === null ? {} : { [identityProperty]: identityValue };
    this.note({ objectType, crmId, entity_name: entity, external_id: externalId, expected, failure: null, gone: false });
    return { ok: true, value: { promoted: true, crm_id: crmId, previous_external_id: null, reason: null, conflict: null } };
  }

  /** Associations are not compared. */
  async dissociate({ to }: DissociateRequest): Promise<DissociateAnswer> {
    const results = to.map(({ externalId }) => ({ to_external_id: externalId, status: 'removed' as const, error: null }));
    return { ok: true, value: { removed: to.length, failed: 0, skipped: 0, results } };
  }

  /** Associations are no properties: they are assumed to exist. */
  async associate({ to }: AssociateRequest): Promise<AssociateAnswer> {
    const named = to.filter(({ externalId }) => externalId !== null);
    const results = to.map(({ externalId }) => {
      const status = externalId === null ? ('skipped' as const) : ('associated' as const);
      return { to_external_id: externalId, status, error: null };
    });
    const [associated, skipped] = [named.length, to.length - named.length];
    return { ok: true, value: { associated, failed: 0, skipped, removed: 0, results } };
  }

  /** The results, record by record, in the order of the run's writes. */
  verified(): Promise<VerifiedRecord[]> {
    return Promise.all(this.wishes.map((wish) => this.compare(wish)));
  }

  private async wish(write: RecordWrite, gone = false): Promise<{ ok: true; value: RecordWriteResult }> {
    const { objectType, entity, externalId, properties } = write;
    const found = this.unknown === null ? await this.locate(write) : { ok: true as const, value: null };
    const crmId = found.ok ? (found.value?.crm_id ?? null) : null;
    const failure = found.ok ? null : found;
    this.note({ objectType, crmId, entity_name: entity, external_id: externalId, expected: properties, failure, gone });
    return landed(crmId);
  }

  /** Found by its mapping, else by its identity value, like the writer does. */
  private async locate(target: RecordTarget): Promise<CallResult<FoundRecord | null>> {
    const { objectType, entity, externalId, identityProperty, identityValue } = target;
    if (externalId !== null) {
      const mapped = await this.reader.find({ objectType, match: {}, through: { entity, externalId }, properties: [] });
      if (!mapped.ok || mapped.value.record) return mapped.ok ? { ok: true, value: mapped.value.record } : mapped;
    }
    if (identityProperty === null || identityValue === null) return { ok: true, value: null };
    const found = await this.reader.find({ objectType, match: { [identityProperty]: identityValue }, properties: [] });
    return found.ok ? { ok: true, value: found.value.record } : found;
  }

  /** Several writes of one record are combined: the later value counts. */
  private note(wish: Omit<Wish, 'unknown'>): void {
    const unknown = this.unknown;
    const same = this.wishes.find((one) => isSame(one, wish));
    if (!same) this.wishes.push({ ...wish, expected: { ...wish.expected }, unknown });
    else {
      const expected = { ...same.expected, ...wish.expected };
      Object.assign(same, { unknown: same.unknown ?? unknown, gone: wish.gone, expected });
    }
  }

  private async compare(wish: Wish): Promise<VerifiedRecord> {
    const { entity_name, external_id, objectType, crmId, expected } = wish;
    const record = { entity_name, external_id, crm_id: crmId };
    const cannot = (reason: string): VerifiedRecord => ({ ...record, status: 'not_verifiable', properties: [], reason });
    if (wish.unknown !== null) return cannot(wish.unknown);
    if (wish.failure) return cannot(wish.failure.message);
    const names = Object.keys(expected);
    // A contact found by a secondary address keeps its primary one.
    const asked = names.includes('email') ? [...names, secondaryEmails] : names;
    const read = crmId === null ? null : await this.reader.readById(objectType, crmId, asked);
    if (read && !read.ok) return cannot(read.message);
    const held = read?.value ?? null;
    const status = held === null ? 'match' : 'mismatch';
    if (wish.gone) return { ...record, status, properties: [], reason: null };
    const properties = await Promise.all(names.map((name) => this.compareOne(objectType, name, expected[name]!, held)));
    if (held === null) return { ...record, status: 'missing', properties, reason: null };
    return { ...record, status: properties.every(({ match }) => match) ? 'match' : 'mismatch', properties, reason: null };
  }

  private async compareOne(
    objectType: string,
    name: string,
    expected: PropertyValue,
    held: FoundRecord | null,
  ): Promise<VerifiedProperty> {
    const actual = held?.properties[name] ?? null;
    if (held === null) return { name, expected, actual, match: false };
    const definition = await this.reader.definition(objectType, name);
    const rules = definition.ok ? definition.value : null;
    const secondary = name === 'email' ? (held.properties[secondaryEmails] ?? '').split(';') : [];
    return { name, expected, actual, match: [actual, ...secondary].some((value) => sameValue(expected, value || null, rules)) };
  }
}

const secondaryEmails = 'hs_additional_emails';

function isSame(one: Omit<Wish, 'unknown'>, other: Omit<Wish, 'unknown'>): boolean {
  if (one.objectType !== other.objectType) return false;
  if (one.crmId !== null && one.crmId === other.crmId) return true;
  return one.external_id !== null && one.external_id === other.external_id && one.entity_name === other.entity_name;
}
