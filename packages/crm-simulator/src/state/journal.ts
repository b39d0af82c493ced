import { randomUUID } from 'node:crypto';
import type { PortalEvent } from './portal-event';
import { refill } from '../stores/refill';
import { covers, passesFilter, type FilterCondition, type Subscription, type SubscriptionFilter } from './subscription';

/** One file of the journal, as it is downloaded. Epoch ms. */
export interface JournalFile {
  readonly offset: string;
  readonly index: number;
  readonly events: readonly Record<string, unknown>[];
  readonly publishedAt: number;
}

/** How long entries stay readable. */
const retentionMs = 3 * 86_400_000;
/** Events of one file, and files kept at most. */
const maxEventsPerFile = 100;
const maxFiles = 100_000;

/** How a requested snapshot ended. Epoch ms. */
export interface SnapshotStatus {
  readonly status: 'SUCCESS' | 'FAILED';
  readonly at: number;
  readonly errorCode?: string;
  readonly message?: string;
}

/** Snapshot results remembered at most. */
const maxSnapshots = 10_000;

/** The state of a journal. */
export interface JournalDump {
  readonly subscriptions: ReadonlyMap<number, Subscription>;
  readonly filters: ReadonlyMap<number, SubscriptionFilter>;
  readonly files: readonly JournalFile[];
  readonly open: readonly Record<string, unknown>[];
  readonly snapshots: ReadonlyMap<string, SnapshotStatus>;
  readonly nextIndex: number;
  readonly nextId: number;
}

/**
 * The app's change journal over all portals: events that a subscription covers, in files, in order. A read closes the open file,
 * so that it contains everything written before.
 */
export class Journal {
  readonly subscriptions = new Map<number, Subscription>();
  readonly filters = new Map<number, SubscriptionFilter>();
  #files: JournalFile[] = [];
  readonly #byOffset = new Map<string, JournalFile>();
  readonly #snapshots = new Map<string, SnapshotStatus>();
  #open: Record<string, unknown>[] = [];
  #nextIndex = 0;
  #nextId = 1;

  constructor(private readonly now: () => number) {}

  /** Everything, as plain data. */
  dump(): JournalDump {
    return {
      subscriptions: this.subscriptions, filters: this.filters, files: this.#files, open: this.#open, snapshots: this.#snapshots,
      nextIndex: this.#nextIndex, nextId: this.#nextId,
    };
  }

  /** Replaces everything with the data of `dump`. */
  load(dump: JournalDump): void {
    refill(this.subscriptions, dump.subscriptions);
    refill(this.filters, dump.filters);
    refill(this.#snapshots, dump.snapshots);
    refill(this.#byOffset, dump.files.map((file) => [file.offset, file]));
    this.#files = [...dump.files];
    this.#open = [...dump.open];
    this.#nextIndex = dump.nextIndex;
    this.#nextId = dump.nextId;
  }

  /** Adds a subscription, or renews the one for the same thing (POST is an upsert). */
  subscribe(given: Omit<Subscription, 'id' | 'createdAt' | 'updatedAt'>): Subscription {
    const same = [...this.subscriptions.values()].find(
      (one) =>
        one.subscriptionType === given.subscriptionType &&
        one.portalId === given.portalId &&
        one.objectTypeId === given.objectTypeId &&
        one.eventTypeId === given.eventTypeId,
    );
    const at = this.now();
    const made: Subscription = { ...given, id: same?.id ?? this.#allocate(), createdAt: same?.createdAt ?? at, updatedAt: at };
    this.subscriptions.set(made.id, made);
    return made;
  }

  addFilter(subscriptionId: number, conditions: readonly FilterCondition[]): SubscriptionFilter {
    const made = { id: this.#allocate(), subscriptionId, conditions, createdAt: this.now() };
    this.filters.set(made.id, made);
    return made;
  }

  /** Adds a portal's event if a subscription covers it. `values` are the record's properties after the change. */
  record(portalId: number, event: PortalEvent, values: Readonly<Record<string, string>>): void {
    if (this.subscriptions.size === 0) return;
    const covering = [...this.subscriptions.values()].filter(
      (one) => covers(one, portalId, event) && this.#passes(one, event, values),
    );
    if (covering.length > 0) this.append(wireEvent(portalId, event, covering, values));
  }

  /** An install or uninstall of the app, for those who subscribed to it. */
  recordLifecycle(portalId: number, action: 'APP_INSTALL' | 'APP_UNINSTALL'): void {
    const eventTypeId = action === 'APP_INSTALL' ? '4-1909196' : '4-1916193';
    if (
      ![...this.subscriptions.values()].some(
        (one) => one.subscriptionType === 'APP_LIFECYCLE_EVENT' && one.eventTypeId === eventTypeId,
      )
    )
      return;
    this.append({ type: 'app_lifecycle_event', action, portalId, occurredAt: new Date(this.now()).toISOString(), eventTypeId,
      properties: { hs_app_id: '1', hs_app_install_level: 'PORTAL', hs_initiating_user_id: '80001', hs_user_id: '80001' } });
  }

  append(event: Record<string, unknown>): void {
    this.#open.push(event);
    if (this.#open.length >= maxEventsPerFile) this.#close();
  }

  noteSnapshot(id: string, status: SnapshotStatus): void {
    this.#snapshots.set(id, status);
    const [oldest] = this.#snapshots.keys();
    if (this.#snapshots.size > maxSnapshots && oldest !== undefined) this.#snapshots.delete(oldest);
  }

  snapshot(id: string): SnapshotStatus | undefined {
    return this.#snapshots.get(id);
  }

  earliest(count: number): JournalFile[] {
    return this.#current().slice(0, count);
  }

  latest(count: number): JournalFile[] {
    return this.#current().slice(-count);
  }

  /** Files after an offset; undefined when the offset is unknown or has expired. */
  after(offset: string, count: number): JournalFile[] | undefined {
    const files = this.#current();
    const at = this.#byOffset.get(offset);
    if (!at) return undefined;
    const start = at.index - (files[0]?.index ?? 0) + 1;
    return files.slice(start, start + count);
  }

  file(offset: string): JournalFile | undefined {
    this.#current();
    return this.#byOffset.get(offset);
  }

  /**
   * Lets go of files that were published before a time (epoch ms), or that stand before the one of an offset.
   * @returns how many
   */
  expire(before: number | string): number {
    const files = this.#current();
    const end = this.#byOffset.get(String(before));
    const isOver = (file: JournalFile): boolean => (end ? file.index < end.index : file.publishedAt < Number(before));
    const gone = files.filter(isOver);
    for (const file of gone) this.#byOffset.delete(file.offset);
    this.#files = files.filter((file) => !isOver(file));
    return gone.length;
  }

  #passes(subscription: Subscription, event: PortalEvent, values: Readonly<Record<string, string>>): boolean {
    if (event.action !== 'CREATE' && event.action !== 'UPDATE') return true;
    const filters = [...this.filters.values()].filter((filter) => filter.subscriptionId === subscription.id);
    return filters.length === 0 || filters.some((filter) => passesFilter(filter, values));
  }

  #current(): JournalFile[] {
    this.#close();
    const expired = this.now() - retentionMs;
    let drop = Math.max(0, this.#files.length - maxFiles);
    while (drop < this.#files.length && this.#files[drop]!.publishedAt < expired) drop += 1;
    for (const file of this.#files.slice(0, drop)) this.#byOffset.delete(file.offset);
    if (drop > 0) this.#files = this.#files.slice(drop);
    return this.#files;
  }

  #close(): void {
    if (this.#open.length === 0) return;
    const file = { offset: randomUUID(), index: this.#nextIndex, events: this.#open, publishedAt: this.now() };
    this.#nextIndex += 1;
    this.#open = [];
    this.#files.push(file);
    this.#byOffset.set(file.offset, file);
    if (this.#files.length > 2 * maxFiles) this.#current();
  }

  #allocate(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }
}

/** Only properties in a subscription are reported; a subscription without a list means all. */
function wireEvent(
  portalId: number,
  event: PortalEvent,
  covering: readonly Subscription[],
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const base = { portalId, occurredAt: new Date(event.at).toISOString(), action: event.action };
  if (event.kind === 'association') {
    return {
      type: 'crm_association',
      ...base,
      fromObjectTypeId: event.fromTypeId,
      fromObjectId: Number(event.fromId),
      toObjectTypeId: event.toTypeId,
      toObjectId: Number(event.toId),
      associationTypeId: event.typeId,
      associationCategory: event.category,
      isPrimary: event.isPrimary,
    };
  }
  const all = covering.some((one) => one.properties.length === 0);
  const wanted = new Set(covering.flatMap((one) => one.properties));
  const full = event.action === 'CREATE' || event.action === 'SNAPSHOT';
  const source: Record<string, string | null> = full
    ? { ...values }
    : Object.fromEntries(Object.entries(event.changes).map(([name, value]) => [name, value === '' ? null : value]));
  if (full) for (const name of wanted) source[name] ??= null;
  const propertyChanges = all ? source : Object.fromEntries(Object.entries(source).filter(([name]) => wanted.has(name)));
  return {
    type: 'crm_object',
    ...base,
    objectTypeId: event.objectTypeId,
    objectId: Number(event.objectId),
    propertyChanges,
    ...(event.mergedObjectIds ? { mergedObjectIds: event.mergedObjectIds.map(Number) } : {}),
  };
}
