import type { CrmRecord, CrmWriteInput } from '@sluice/ports';
import type { CrmFault, CrmLog, FaultKind, Subject } from '../crm-log';
import type { Prng } from '../time/prng';
import type { Clock } from '../time/virtual-time';

/** A record as the simulated CRM keeps it. */
export interface SimRecord {
  id: string;
  properties: Record<string, string>;
  createdAt: number;
  /** From when on a search finds it. */
  visibleAt: number;
}

/** Where a call acts. */
interface InPortal {
  portalId: string;
}

/** The longest time for which a search does not find a new record. */
export const crmSearchLagMs = 4_000;

/** The identity property of each type in the simulated configs. */
export const identityProperty: Record<string, string> = {
  contacts: 'email', deals: 'description', tickets: 'subject', companies: 'domain',
};

const numberOf = (properties: Record<string, unknown>): number =>
  Number(properties['firstname'] ?? properties['amount'] ?? properties['content'] ?? properties['marked_by']);

/** A record as the CRM shows it. */
export const shown = ({ id, properties, createdAt }: SimRecord, traceId?: string): CrmRecord => ({
  id,
  properties: { ...properties },
  archived: false,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: '',
  ...(traceId === undefined ? {} : { traceId }),
});

/** The records of all portals, and the log of their writes. */
export class SimCrmRecords {
  readonly log: CrmLog = { writes: [], marks: [], faults: [], deleted: new Map(), idsOf: new Map(), associations: new Set() };
  private readonly tables = new Map<string, Map<string, SimRecord>>();
  private readonly removed = new Map<string, SimRecord>();
  /** By portal: different records of two portals have the same id. */
  private readonly lastIds = new Map<string, number>();

  constructor(private readonly clock: Clock, private readonly prng: Prng) {}

  table({ portalId }: InPortal, objectType: string): Map<string, SimRecord> {
    const key = `${portalId} ${objectType}`;
    let records = this.tables.get(key);
    if (!records) this.tables.set(key, (records = new Map()));
    return records;
  }

  make(portal: InPortal, objectType: string): SimRecord {
    const now = this.clock.now();
    const lastId = (this.lastIds.get(portal.portalId) ?? 100) + 1;
    this.lastIds.set(portal.portalId, lastId);
    const id = String(lastId);
    const record: SimRecord = { id, properties: {}, createdAt: now, visibleAt: now + this.prng.int(crmSearchLagMs) };
    this.table(portal, objectType).set(record.id, record);
    return record;
  }

  write({ portalId }: InPortal, objectType: string, record: SimRecord, properties: CrmWriteInput['properties']): void {
    for (const [name, value] of Object.entries(properties)) record.properties[name] = String(value);
    this.noteIdentity(portalId, objectType, record);
    const name = `${portalId} ${objectType}/${record.id}`;
    const n = numberOf(properties);
    if (properties['marked_by'] !== undefined) return void this.log.marks.push({ record: name, n });
    const item = Number(properties['hs_ticket_priority'] ?? 0);
    this.log.writes.push({ sentAt: 0, at: this.clock.now(), heardAt: null, late: false, by: '', record: name, n, item });
  }

  remove(portalId: string, objectType: string, id: string): void {
    this.removed.set(id, this.table({ portalId }, objectType).get(id)!);
    this.table({ portalId }, objectType).delete(id);
    this.log.deleted.set(`${portalId} ${objectType}/${id}`, this.clock.now());
  }

  fault(kind: FaultKind, about: Subject): CrmFault {
    const fault = { at: this.clock.now(), heardAt: null, kind, about };
    this.log.faults.push(fault);
    return fault;
  }

  /** By id or identity value: a record is found by both. */
  named(
    portal: InPortal,
    objectType: string,
    values: readonly string[],
    inputs: readonly Pick<CrmWriteInput, 'properties'>[] = [],
  ): Subject {
    const identity = identityProperty[objectType]!;
    const known = (id: string): SimRecord | undefined => this.table(portal, objectType).get(id) ?? this.removed.get(id);
    const texts = values.map((value) => known(value)?.properties[identity] ?? value);
    const records = texts.map((value) => `${portal.portalId} ${objectType}/${value}`.toLowerCase());
    return { numbers: inputs.map(({ properties }) => numberOf(properties)), records };
  }

  private noteIdentity(portalId: string, objectType: string, { id, properties }: SimRecord): void {
    const key = `${portalId} ${objectType}/${properties[identityProperty[objectType]!]}`;
    const name = `${portalId} ${objectType}/${id}`;
    const ids = this.log.idsOf.get(key) ?? [];
    if (!ids.includes(name)) this.log.idsOf.set(key, [...ids, name]);
  }
}
