import { randomUUID } from 'node:crypto';
import type { EventEnvelope } from '@sluice/contracts';
import type { ConflictRecord, ConflictStore } from '../../run-store/conflict-store';
import type { BreakerStore } from '../../flow-breaker';
import type { EventIndex, IndexRow } from '../../records/event-index';
import type { Retention } from '../../records/retention';
import type { PartitionLease } from '../../run-store/partition-ownership';
import type { HeldEvent, RecordRow, RunStore, Settlement } from '../../run-store/run-store';
import type { UnitKey } from '../../run-store/unit-key';
import { parseScope } from '../../run-store/scope-id';
import type { Mapping } from '../../run-store/identity-map';

/** What the suites for run store and event index need of an implementation. */
export interface RunStoreLab {
  store: RunStore;
  /** The same data as another process sees it. */
  other: RunStore;
  index: EventIndex;
  /** Another index beside the store, of which only what is within a retention is read. */
  keeping(retention: Retention): EventIndex;
  conflicts: ConflictStore;
  /** Of the flows whose outcomes it settles. */
  breakers: BreakerStore;
  /** Puts a binding epoch in force, as config-api does: mappings of older epochs go. */
  bind(connectorId: string, epoch: number): Promise<void>;
  /** Ends all sessions of one of the two processes, as its death does. A living one connects again when it asks next. */
  endSessions(of: 'store' | 'other'): Promise<void>;
  /** Copies the whole store; the answer puts it back to that, as a restored database is. */
  backup(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export const acceptedAt = new Date().toISOString();

/** A partition of its own, owned. */
export async function ownPartition(store: RunStore, owner = 'one'): Promise<PartitionLease> {
  const ref = { topic: `test.${randomUUID()}`, partition: 3 };
  const answer = await store.ownership.acquire(ref, { owner, leaseMs: 60_000, graceMs: 1_000 });
  if (!answer.acquired) throw new Error('a new partition was not free');
  return { ...ref, epoch: answer.epoch };
}

export const aUnit = (over: Partial<UnitKey> = {}): UnitKey => ({
  eventId: `evt_${randomUUID()}`,
  entityIndex: 0,
  run: 'first',
  ...over,
});

export const aRow = (unit: UnitKey, over: Partial<RecordRow> = {}): RecordRow => ({
  id: randomUUID(),
  organizationId: randomUUID(),
  connectorId: randomUUID(),
  unit,
  flowName: 'customers',
  sourceName: 'shop',
  eventType: 'customer.updated',
  entityName: 'customer',
  externalId: 'C-1',
  action: 'upsert',
  stepId: 'upsert_customer',
  status: 'completed',
  error: null,
  errorKind: null,
  errorCode: null,
  reason: null,
  crmId: '501',
  attempts: 1,
  replayable: false,
  configVersion: 4,
  createdAt: acceptedAt,
  completedAt: acceptedAt,
  steps: [
    {
      id: 'upsert_customer',
      action: 'upsert',
      status: 'ok',
      output: { crm_id: '501' },
      error: null,
      started_at: acceptedAt,
      duration_ms: 12,
      attempts: 1,
    },
  ],
  ...over,
});

const anEnvelope = (unit: UnitKey, connectorId: string, over: Partial<EventEnvelope> = {}): EventEnvelope => ({
  v: 1,
  event_id: unit.eventId,
  entity_index: unit.entityIndex,
  entities_total: 1,
  organization_id: randomUUID(),
  connector_id: connectorId,
  revision: 1,
  source_name: 'shop',
  source_type: 'event_api',
  event_type: 'customer.updated',
  external_id: 'C-1',
  timestamp: acceptedAt,
  store_id: null,
  accepted_at: acceptedAt,
  lane: `${connectorId}:C-1`,
  run: unit.run,
  kind: 'live',
  payload: { email: 'a@shop.test' },
  request_id: 'req-1',
  ...over,
});

export function aHeld(lease: PartitionLease, offset: bigint, over: Partial<HeldEvent> = {}): HeldEvent {
  const unit = over.unit ?? aUnit();
  const connectorId = over.connectorId ?? randomUUID();
  const held: HeldEvent = {
    topic: lease.topic,
    partition: lease.partition,
    offset,
    unit,
    organizationId: randomUUID(),
    connectorId,
    scope: parseScope('lane:a'),
    lane: 'a',
    flowName: null,
    reason: 'retry',
    dueAt: null,
    attempts: 1,
    tries: 1,
    wrote: false,
    lastError: null,
    lastErrorCode: null,
    mayLandUntil: null,
    keptSteps: null,
    ending: null,
    envelope: anEnvelope(unit, connectorId),
  };
  return { ...held, ...over };
}

export const aMapping = (over: Partial<Mapping> = {}): Mapping => ({
  connectorId: randomUUID(),
  entity: 'customer',
  externalId: 'C-1',
  portalId: '77',
  objectType: 'contacts',
  crmId: '501',
  bindingEpoch: 1,
  position: { partition: 3, offset: 10n, acceptedAt },
  ...over,
});

/** A settlement with one completed row, changed by `over`. */
export function aSettlement(lease: PartitionLease, over: Partial<Settlement> = {}): Settlement {
  const unit = over.unit ?? aUnit();
  return {
    lease,
    offset: 0n,
    unit,
    connectorId: randomUUID(),
    verdict: { kind: 'rows', rows: [aRow(unit)] },
    mappings: [],
    mappingsRemoved: [],
    recordWrites: [],
    claimsDone: [],
    claimsReleased: [],
  conflicts: [],
    ...over,
  };
}

export const aHold = (lease: PartitionLease, held: HeldEvent): Settlement =>
  aSettlement(lease, { unit: held.unit, offset: held.offset, verdict: { kind: 'hold', held } });

export const anIndexRow = (over: Partial<IndexRow> = {}): IndexRow => ({
  ...aUnit(),
  entitiesTotal: 1,
  organizationId: randomUUID(),
  connectorId: randomUUID(),
  sourceName: 'shop',
  eventType: 'customer.updated',
  externalId: 'C-1',
  lane: 'a',
  kind: 'live',
  acceptedAt,
  aliases: [],
  payload: Buffer.from('{"email":"a@shop.test"}'),
  payloadRef: null,
  payloadBytes: null,
  sourceType: 'event_api',
  timestamp: null,
  storeId: null,
  orderingEpoch: null,
  importRow: null,
  ...over,
});

/** A conflict that the target won. */
export const aConflict = (more: Partial<ConflictRecord> = {}): ConflictRecord => ({
  id: randomUUID(),
  connectorId: randomUUID(),
  entityName: 'customer',
  externalId: 'C-1',
  crmId: '501',
  property: 'city',
  sourceValue: 'Rome',
  targetValue: 'Bonn',
  targetModifiedAt: '2026-01-01T00:00:00.000Z',
  targetModifiedBy: 'ada@example.com',
  winner: 'target',
  createdAt: new Date().toISOString(),
  ...more,
});
