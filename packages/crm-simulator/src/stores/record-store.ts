import type { ObjectType } from '../model/object-types';
import { refill } from './refill';

/** Who made a change: the API, or a CRM user through the control surface. */
export interface Actor {
  readonly source: 'api' | 'user';
  readonly user?: string;
}

/** One write of a record: the properties it carried, as stored (`''` cleared one). Epoch ms. */
export interface WriteLogEntry {
  readonly at: number;
  readonly actor: Actor;
  readonly properties: Readonly<Record<string, string>>;
}

/** The state of a record that searches still find until `until` (index lag). */
interface StaleView {
  readonly until: number;
  readonly exists: boolean;
  readonly properties: Readonly<Record<string, string>>;
}

/** One record. `properties` is replaced, never changed in place. */
export interface CrmRecord {
  readonly id: string;
  readonly typeId: string;
  properties: Readonly<Record<string, string>>;
  readonly createdAt: number;
  updatedAt: number;
  archived: boolean;
  archivedAt?: number;
  mergedInto?: string;
  writes: number;
  readonly log: WriteLogEntry[];
  stale?: StaleView[];
}

/** The records of a store and its further state. */
export interface RecordDump {
  readonly records: readonly CrmRecord[];
  readonly unique: readonly string[];
  readonly forward: ReadonlyMap<string, string>;
  readonly nextId: number;
}

/** Oldest entries of a record's write log are dropped beyond this many; `writes` goes on counting. */
const maxLogEntries = 1_000;
const additionalEmails = 'hs_additional_emails';

/** The records of one type in one portal, with unique indexes and the lagging view that searches use. */
export class RecordStore {
  readonly records = new Map<string, CrmRecord>();
  readonly #unique = new Map<string, Map<string, string>>();
  readonly #forward = new Map<string, string>();
  readonly #lagging = new Set<CrmRecord>();
  readonly #equality = new Map<string, Map<string, Set<CrmRecord>>>();
  #nextId = 101;

  constructor(readonly type: ObjectType, uniqueProperties: readonly string[], private readonly lagMs: () => number) {
    for (const name of uniqueProperties) this.addUnique(name);
  }

  /** Everything but the indexes, as plain data. */
  dump(): RecordDump {
    return {
      records: [...this.records.values()],
      unique: [...this.#unique.keys()],
      forward: this.#forward,
      nextId: this.#nextId,
    };
  }

  /** Replaces everything with the data of `dump`, and builds the indexes. */
  load({ records, unique, forward, nextId }: RecordDump): void {
    refill(this.records, records.map((record) => [record.id, record]));
    refill(this.#forward, forward);
    this.#nextId = nextId;
    this.#equality.clear();
    this.#unique.clear();
    this.#lagging.clear();
    for (const name of unique) this.addUnique(name);
    for (const record of records) if (record.stale) this.#lagging.add(record);
  }

  /** Ids are unique within a type only, as in the CRM. */
  allocateId(): string {
    const id = String(this.#nextId);
    this.#nextId += 1;
    return id;
  }

  /** Makes a property unique from now on; existing values are indexed. */
  addUnique(property: string): void {
    const index = new Map<string, string>();
    for (const record of this.records.values()) {
      if (!record.archived) for (const key of this.#uniqueKeys(property, record.properties)) index.set(key, record.id);
    }
    this.#unique.set(property, index);
  }

  dropUnique(property: string): void {
    this.#unique.delete(property);
  }

  isUnique(property: string): boolean {
    return this.#unique.has(property);
  }

  get uniqueProperties(): IterableIterator<string> {
    return this.#unique.keys();
  }

  /** The live record that holds a unique value; emails also match additional emails. `value` must be normalised. */
  holder(property: string, value: string): CrmRecord | undefined {
    const id = this.#unique.get(property)?.get(value);
    return id === undefined ? undefined : this.records.get(id);
  }

  /** A record by id, following merges; archived ones included. */
  find(id: string): CrmRecord | undefined {
    let current = id;
    for (let next = this.#forward.get(current); next !== undefined; next = this.#forward.get(current)) current = next;
    return this.records.get(current);
  }

  /** A record by id, following merges, unless archived. */
  findLive(id: string): CrmRecord | undefined {
    const record = this.find(id);
    return record && !record.archived ? record : undefined;
  }

  create(id: string, properties: Readonly<Record<string, string>>, at: number, actor: Actor): CrmRecord {
    const record: CrmRecord = {
      id,
      typeId: this.type.id,
      properties: {},
      createdAt: at,
      updatedAt: at,
      archived: false,
      writes: 0,
      log: [],
    };
    if (this.lagMs() > 0) this.#hide(record, at, false);
    this.records.set(id, record);
    this.#apply(record, properties, at, actor);
    return record;
  }

  update(record: CrmRecord, properties: Readonly<Record<string, string>>, at: number, actor: Actor): void {
    if (this.lagMs() > 0) this.#hide(record, at, true);
    this.#apply(record, properties, at, actor);
  }

  archive(record: CrmRecord, at: number): void {
    if (record.archived) return;
    this.#index(record, record.properties, {});
    record.archived = true;
    record.archivedAt = at;
    record.updatedAt = at;
  }

  restore(record: CrmRecord, at: number): void {
    record.archived = false;
    record.archivedAt = undefined;
    record.updatedAt = at;
    this.#index(record, {}, record.properties);
  }

  /** The loser's id resolves to the survivor from now on; the loser stays as an archived record. */
  forward(loser: CrmRecord, survivor: CrmRecord, at: number): void {
    this.archive(loser, at);
    loser.mergedInto = survivor.id;
    this.#forward.set(loser.id, survivor.id);
  }

  /** Removes a record without a trace (GDPR delete). */
  purge(record: CrmRecord): void {
    this.archive(record, record.updatedAt);
    this.records.delete(record.id);
    this.#lagging.delete(record);
  }

  /** The state of a record that a search at `now` finds: undefined when not indexed yet or archived. */
  searchView(record: CrmRecord, now: number): Readonly<Record<string, string>> | undefined {
    if (record.archived) return undefined;
    const stale = record.stale;
    if (!stale) return record.properties;
    while (stale.length > 0 && stale[0]!.until <= now) stale.shift();
    const first = stale[0];
    if (first) return first.exists ? first.properties : undefined;
    record.stale = undefined;
    this.#lagging.delete(record);
    return record.properties;
  }

  /**
   * Records that may hold one of these lower-cased values: a superset, so the caller still filters.
   * The index for a property is built on first use and kept up to date from then on.
   */
  candidates(property: string, values: readonly string[]): Set<CrmRecord> {
    const index = this.#equality.get(property) ?? this.#buildEquality(property);
    const found = new Set<CrmRecord>(this.#lagging);
    for (const value of values) for (const record of index.get(value) ?? []) found.add(record);
    return found;
  }

  #buildEquality(property: string): Map<string, Set<CrmRecord>> {
    const index = new Map<string, Set<CrmRecord>>();
    this.#equality.set(property, index);
    for (const record of this.records.values()) {
      const value = record.archived ? undefined : record.properties[property];
      if (value !== undefined) this.#addEqual(index, value, record);
    }
    return index;
  }

  #addEqual(index: Map<string, Set<CrmRecord>>, value: string, record: CrmRecord): void {
    const key = value.toLowerCase();
    const set = index.get(key);
    if (set) set.add(record);
    else index.set(key, new Set([record]));
  }

  #hide(record: CrmRecord, at: number, exists: boolean): void {
    (record.stale ??= []).push({ until: at + this.lagMs(), exists, properties: record.properties });
    this.#lagging.add(record);
  }

  #apply(record: CrmRecord, changes: Readonly<Record<string, string>>, at: number, actor: Actor): void {
    const before = record.properties;
    const after: Record<string, string> = { ...before };
    for (const name in changes) {
      const value = changes[name]!;
      if (value === '') delete after[name];
      else after[name] = value;
    }
    record.properties = after;
    record.updatedAt = at;
    record.writes += 1;
    record.log.push({ at, actor, properties: changes });
    if (record.log.length > maxLogEntries) record.log.shift();
    if (!record.archived) this.#index(record, before, after);
  }

  #index(record: CrmRecord, before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): void {
    for (const [property, index] of this.#unique) {
      if (before[property] === after[property] && (property !== 'email' || before[additionalEmails] === after[additionalEmails]))
        continue;
      for (const key of this.#uniqueKeys(property, before)) if (index.get(key) === record.id) index.delete(key);
      for (const key of this.#uniqueKeys(property, after)) index.set(key, record.id);
    }
    for (const [property, index] of this.#equality) {
      const old = before[property];
      const value = after[property];
      if (old === value) continue;
      if (old !== undefined) index.get(old.toLowerCase())?.delete(record);
      if (value !== undefined) this.#addEqual(index, value, record);
    }
  }

  #uniqueKeys(property: string, properties: Readonly<Record<string, string>>): string[] {
    const value = properties[property];
    const keys = value === undefined ? [] : [value];
    if (property === 'email' && this.type.id === '0-1')
      keys.push(...(properties[additionalEmails]?.split(';').filter((email) => email !== '') ?? []));
    return keys;
  }
}
