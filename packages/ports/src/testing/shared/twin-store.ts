import type { CallFailure, PropertyValue, RecordTarget } from '@sluice/contracts';
import type { FoundRecord } from '../../crm/found-record';

/** A record the twin starts with. `mapped`: an identity mapping that already leads to it. */
export interface TwinRecord {
  objectType: string;
  crm_id?: string;
  properties: Record<string, PropertyValue>;
  mapped?: { entity: string; externalId: string };
}

export interface Stored {
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

/** What the twin of CrmRecords keeps: records, identity mappings and associations. */
export class TwinStore {
  protected readonly stored = new Map<string, Stored>();
  protected readonly mappings = new Map<string, string>();
  protected readonly links = new Map<string, TwinAssociation>();
  protected readonly failures: CallFailure[] = [];
  protected nextId = 1;

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

  /** Creates a record of another client; returns its id. */
  add(objectType: string, properties: Record<string, PropertyValue>, crmId?: string): string {
    const record = this.make(objectType, crmId);
    assign(record.properties, properties);
    return record.crm_id;
  }

  /** Deletes a record as another client; mappings stay. */
  deleteRecord(crmId: string): void {
    this.stored.delete(crmId);
  }

  protected make(objectType: string, crmId?: string): Stored {
    const record: Stored = { crm_id: crmId ?? String(this.nextId++), objectType, properties: {} };
    this.stored.set(record.crm_id, record);
    return record;
  }

  protected lookUp(target: RecordTarget): Stored | undefined {
    const [mapped] = target.externalId === null ? [] : this.mapped(target.entity, target.externalId);
    return mapped ?? this.byIdentity(target);
  }

  protected byIdentity({ objectType, identityProperty, identityValue }: RecordTarget): Stored | undefined {
    return identityProperty === null || identityValue === null
      ? undefined
      : this.matching(objectType, { [identityProperty]: identityValue })[0];
  }

  protected mapped(entity: string, externalId: string): Stored[] {
    const record = this.stored.get(this.mappings.get(mappingKey(entity, externalId)) ?? '');
    return record ? [record] : [];
  }

  protected matching(objectType: string, match: Record<string, PropertyValue>): Stored[] {
    const pairs = Object.entries(match).map(([name, value]) => [name, stored(value).trim().toLowerCase()] as const);
    // No record matches an absent value.
    if (pairs.length === 0 || pairs.some(([, value]) => value === '')) return [];
    return this.records(objectType).filter((record) =>
      pairs.every(([name, value]) => record.properties[name]?.toLowerCase() === value),
    );
  }

  protected link(from: string, to: string, typeId: number | null): void {
    this.links.set(JSON.stringify([from, to, typeId]), { from, to, typeId });
  }

  protected unlink(one: string, other: string, typeId: number | null): void {
    for (const [key, { from, to, typeId: type }] of this.links) {
      const isPair = (from === one && to === other) || (from === other && to === one);
      if (isPair && (typeId === null || type === typeId)) this.links.delete(key);
    }
  }

  /** An external id of the entity that is mapped to the record. */
  protected externalIdOf(entity: string, crmId: string): string | null {
    for (const [key, mapped] of this.mappings) {
      const [owner, externalId] = JSON.parse(key) as [string, string];
      if (owner === entity && mapped === crmId) return externalId;
    }
    return null;
  }

  protected unlinkOthers(from: string, toType: string, kept: readonly string[]): number {
    const others = [...this.links].filter(
      ([, link]) => link.from === from && this.stored.get(link.to)?.objectType === toType && !kept.includes(link.to),
    );
    for (const [key] of others) this.links.delete(key);
    return others.length;
  }
}

export function mappingKey(entity: string, externalId: string): string {
  return JSON.stringify([entity, externalId]);
}

/** The CRM keeps every value as text; an empty text is no value. */
export function stored(value: PropertyValue): string {
  return value === null ? '' : String(value);
}

export function assign(target: Record<string, string>, properties: Record<string, PropertyValue>): void {
  for (const [name, value] of Object.entries(properties)) {
    if (stored(value) === '') delete target[name];
    else target[name] = name === 'email' ? stored(value).toLowerCase() : stored(value);
  }
}

export function found(record: Stored, properties: string[]): FoundRecord {
  return {
    crm_id: record.crm_id,
    properties: Object.fromEntries(properties.map((name) => [name, record.properties[name] ?? null])),
  };
}
