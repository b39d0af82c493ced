import { isLaterPosition, laterPosition, mergeMapping } from '../../run-store/accept-position';
import type { ConflictRecord, ConflictStore } from '../../run-store/conflict-store';
import type { ImportRowEnd } from '../../tasks/import-store';
import type { OwnedLease, PartitionLease } from '../../run-store/partition-ownership';
import type { HeldEvent, RecordRow, RunStore, Settlement } from '../../run-store/run-store';
import { StoreUnavailable } from '../../shared/store-unavailable';
import { type PartitionRef } from '../../run-store/partition-ref';
import { type UnitKey, unitKeyText } from '../../run-store/unit-key';
import { type ScopeId, type ScopeText, scopeText } from '../../run-store/scope-id';
import { createMemoryBreakerStore, type MemoryBreakerStore } from '../stores/memory-breaker-store';
import { memoryConflicts } from './memory-conflicts';
import { memoryCrashWatch } from './memory-crash-watch';
import { memoryHeldScopes } from './memory-held-scopes';
import { claimText, inLogOrder, isIn, leaseText, mappingText, recordText, textOf } from './memory-keys';
import { type MemoryConnection, memoryOwnership } from './memory-ownership';
import type { MemoryPluginRuns } from './memory-plugin-runs';
import type {
  AcceptPosition, ClaimAnswer, ClaimKey, ClaimOptions, Mapping,
} from '../../run-store/identity-map';

export type { MemoryConnection };

/** A run store in memory, with what tests want to see and set. */
export interface MemoryRunStore extends RunStore {
  /** Record rows in the order of their first write. */
  rows(): RecordRow[];
  held(): HeldEvent[];
  /** Ends of rows of imports, in their order. */
  importRows(): ImportRowEnd[];
  conflicts: ConflictStore;
  /** Of the flows whose outcomes it settles. */
  breakers: MemoryBreakerStore;
  /** Sets the binding epoch in force, as config-api does when it binds; mappings of other epochs go. */
  bind(connectorId: string, epoch: number): void;
  /** Takes a copy of everything; the answer puts the store back to it, as a restored database is. */
  backup(): () => void;
  /** A connection of another process than the one that uses `ownership`. */
  connect(): MemoryConnection;
  /** Ends all sessions, as a restart of the store does. */
  endSessions(): void;
  /** While true every method throws `StoreUnavailable`. */
  setDown(down: boolean): void;
}

interface Claim {
  unit: string;
  claimedAtMs: number;
  crmId: string | null;
}

/** The oldest event that is held for a flow and due. */
function oldestHeldOf(held: Iterable<HeldEvent>, now: number, connectorId: string, flowName: string): string | null {
  const waits = ({ scope, reason, dueAt, ...event }: HeldEvent): boolean =>
    event.connectorId === connectorId && scope.kind === 'flow' && scope.flowName === flowName
    && (reason === 'breaker_open' || reason === 'fatal') && (dueAt ?? 0) <= now;
  const ageOf = ({ envelope }: HeldEvent): number => Date.parse(envelope.accepted_at);
  const [oldest] = [...held].filter(waits).sort((a, b) => ageOf(a) - ageOf(b) || a.partition - b.partition || inLogOrder(a, b));
  return oldest ? unitKeyText(oldest.unit) : null;
}

/**
 * Keeps everything a run store keeps, for as long as the object lives. Times are `now()`, milliseconds.
 * @param plugins gets what plugins write into their stores
 */
export function createMemoryRunStore(now: () => number = Date.now, plugins?: Pick<MemoryPluginRuns, 'write'>): MemoryRunStore {
  const rows = new Map<string, RecordRow>();
  const ended = new Set<string>();
  const held = new Map<string, HeldEvent>();
  const heldScopes = memoryHeldScopes(held);
  const mappings = new Map<string, Mapping>();
  const removals = new Map<string, AcceptPosition>();
  const written = new Map<string, AcceptPosition>();
  const claims = new Map<string, Claim>();
  const bindings = new Map<string, number>();
  const conflicts = new Map<string, ConflictRecord>();
  const importRows: ImportRowEnd[] = [];
  const owners = memoryOwnership(now);
  const breakers = createMemoryBreakerStore(now, (...flow) => oldestHeldOf(held.values(), now(), ...flow));
  let down = false;
  const up = async <T,>(work: () => T): Promise<T> => {
    if (down) throw new StoreUnavailable('the store in memory is down');
    return work();
  };

  function settleOne({
    unit,
    verdict,
    heldScope,
    mappings: saved,
    mappingsRemoved,
    recordWrites,
    claimsDone,
    claimsReleased,
    conflicts: arbitrated,
    importRow,
    connectorId,
    pluginWrites = [],
  }: Settlement): void {
    if (importRow) importRows.push(importRow);
    const text = unitKeyText(unit);
    if (verdict.kind === 'rows') {
      for (const row of verdict.rows) {
        rows.set(row.id, row);
        ended.add(unitKeyText(row.unit));
      }
    }
    if (verdict.kind === 'hold') {
      const before = held.get(text);
      held.set(
        text,
        before ? { ...verdict.held, topic: before.topic, partition: before.partition, offset: before.offset } : verdict.held,
      );
    } else if (heldScope !== undefined) held.delete(text);
    for (const removal of mappingsRemoved) {
      const { crmId, position } = removal;
      if (mappings.get(mappingText(removal))?.crmId === crmId) mappings.delete(mappingText(removal));
      removals.set(mappingText(removal), laterPosition(removals.get(mappingText(removal)) ?? null, position)!);
    }
    for (const mapping of saved) {
      if (bindings.get(mapping.connectorId) !== mapping.bindingEpoch) continue;
      mappings.set(mappingText(mapping), mergeMapping(mappings.get(mappingText(mapping)), mapping));
    }
    for (const { position, ...record } of recordWrites)
      written.set(recordText(record), laterPosition(written.get(recordText(record)) ?? null, position)!);
    for (const { crmId, ...key } of claimsReleased) {
      const claim = claims.get(claimText(key));
      if (claim && (crmId === undefined ? claim.crmId === null && claim.unit === text : claim.crmId === crmId))
        claims.delete(claimText(key));
    }
    if (pluginWrites.length > 0) plugins?.write(connectorId, pluginWrites);
    for (const one of arbitrated) if (!conflicts.has(one.id)) conflicts.set(one.id, one);
    for (const { crmId, ...key } of claimsDone) {
      const claim = claims.get(claimText(key)) ?? { unit: text, claimedAtMs: now() };
      claims.set(claimText(key), { ...claim, crmId });
    }
  }

  function heldLeft(settlements: readonly Settlement[]): Map<ScopeText, number> {
    const places = new Map<string, { ref: PartitionRef; scope: ScopeId }>();
    for (const { lease, verdict, heldScope } of settlements) {
      const scopes = [heldScope, verdict.kind === 'hold' ? verdict.held.scope : undefined];
      for (const scope of scopes)
        if (scope !== undefined) places.set(textOf(lease.topic, lease.partition, scopeText(scope)), { ref: lease, scope });
    }
    const left = new Map<ScopeText, number>();
    for (const { ref, scope } of places.values()) {
      const count = [...held.values()].filter((event) => isIn(event, ref, scope)).length;
      left.set(scopeText(scope), (left.get(scopeText(scope)) ?? 0) + count);
    }
    return left;
  }

  function claimOne(key: ClaimKey, unit: string, { abandonedAfterMs }: ClaimOptions): ClaimAnswer {
    const claim = claims.get(claimText(key));
    if (!claim) {
      claims.set(claimText(key), { unit, claimedAtMs: now(), crmId: null });
      return { state: 'granted' };
    }
    if (claim.crmId !== null) return { state: 'done', crmId: claim.crmId };
    if (claim.unit === unit) return { state: 'own', ageMs: now() - claim.claimedAtMs, claimedAt: claim.claimedAtMs };
    if (claim.claimedAtMs > now() - abandonedAfterMs) return { state: 'pending' };
    claims.set(claimText(key), { unit, claimedAtMs: now(), crmId: null });
    return { state: 'taken_over' };
  }

  const isFinished = (unit: UnitKey, aliases: readonly string[] = []): boolean =>
    [unit.eventId, ...aliases].some((eventId) => {
      const text = unitKeyText({ ...unit, eventId });
      return held.has(text) || ended.has(text);
    });

  return {
    crashWatch: memoryCrashWatch(),
    ownership: owners.connect(up).ownership,
    connect: () => owners.connect(up),
    endSessions: owners.endSessions,
    finished: (units) => up(() => new Set(units.filter((unit) => isFinished(unit, unit.aliases)).map(unitKeyText))),
    settle: (settlements, owned = [], breakerSettings) =>
      up(() => {
        const known = (lease: PartitionLease): OwnedLease => owned.find((one) => leaseText(one) === leaseText(lease)) ?? lease;
        const current = settlements.filter(({ lease }) => owners.isCurrent(known(lease)));
        const isRebound = ({ connectorId, bindingEpoch }: Settlement): boolean =>
          bindingEpoch !== undefined && bindings.get(connectorId) !== bindingEpoch;
        const kept = current.filter((settlement) => !isRebound(settlement));
        kept.forEach(settleOne);
        const leases = new Map(current.map(({ lease }) => [leaseText(lease), lease]));
        const revisions = [...leases.values()].map((lease) => ({ ...lease, revision: owners.settled(known(lease)) }));
        return {
          refused: settlements.flatMap((settlement, index) => (current.includes(settlement) ? [] : [index])),
          rebound: settlements.flatMap((one, index) => (current.includes(one) && isRebound(one) ? [index] : [])),
          revisions,
          heldLeft: heldLeft(kept),
          breakers: breakerSettings ? breakers.noted(kept.flatMap(({ flowOutcome }) => flowOutcome ?? []), breakerSettings) : [],
        };
      }),
    mappings: (keys) => up(() => keys.flatMap((key) => mappings.get(mappingText(key)) ?? [])),
    mappingsTo: (records) =>
      up(() =>
        [...mappings.values()].filter((mapping) =>
          records.some(
            ({ portalId, objectType, crmId }) =>
              mapping.portalId === portalId && mapping.objectType === objectType && mapping.crmId === crmId,
          ),
        ),
      ),
    haveNewerRemovals: (asked) =>
      up(() =>
        asked.map((key) => {
          const removed = removals.get(mappingText(key));
          return removed !== undefined && isLaterPosition(removed, key.position);
        }),
      ),
    haveNewerWrites: (asked) =>
      up(() =>
        asked.map(({ position, ...record }) => {
          const text = recordText(record);
          const mapped = [...mappings.values()].filter((mapping) => recordText(mapping) === text);
          const positions = [...mapped.map((mapping) => mapping.position), written.get(text) ?? null];
          return positions.some((one) => one !== null && isLaterPosition(one, position));
        }),
      ),
    claim: (keys, claimant, options) => up(() => keys.map((key, index) => claimOne(key, claimant[index]!.unit, options))),
    heldConnectors: (...input) => up(() => heldScopes.heldConnectors(...input)),
    heldScopesDue: (...input) => up(() => heldScopes.heldScopesDue(...input)),
    heldScopesOfLanes: (...input) => up(() => heldScopes.heldScopesOfLanes(...input)),
    heldRows: (topic, partition, scope, limit, after = -1n, textBytes = Infinity) =>
      up(() => {
        const behind = [...held.values()].filter((event) => isIn(event, { topic, partition }, scope) && event.offset > after);
        let text = 0;
        return behind
          .sort(inLogOrder)
          .slice(0, limit)
          .filter(({ envelope, keptSteps, ending }, index) => {
            for (const part of [envelope, keptSteps, ending]) if (part) text += Buffer.byteLength(JSON.stringify(part));
            return index < 2 || text <= textBytes;
          });
      }),
    heldCounts: (connectorId) =>
      up(() => {
        const counts: Record<string, number> = {};
        for (const event of held.values()) {
          if (connectorId === undefined || event.connectorId === connectorId)
            counts[event.reason] = (counts[event.reason] ?? 0) + 1;
        }
        return counts;
      }),
    oldestHeld: () =>
      up(() => {
        const oldest: Record<string, number> = {};
        for (const { topic, envelope } of held.values())
          oldest[topic] = Math.min(oldest[topic] ?? Infinity, Date.parse(envelope.accepted_at));
        return oldest;
      }),
    heldOrderings: ({ topic, partition }, connectorId) =>
      up(() => {
        const oldest = new Map<number, { offset: bigint; lane: string }>();
        for (const event of [...held.values()].sort(inLogOrder)) {
          const isHere = event.topic === topic && event.partition === partition && event.connectorId === connectorId;
          if (!isHere || event.scope.kind === 'event') continue;
          const epoch = event.envelope.ordering_epoch ?? 0;
          if (!oldest.has(epoch)) oldest.set(epoch, { offset: event.offset, lane: event.lane });
        }
        return [...oldest].map(([epoch, first]) => ({ epoch, ...first }));
      }),
    rows: () => [...rows.values()],
    held: () => [...held.values()],
    importRows: () => [...importRows],
    conflicts: memoryConflicts(conflicts),
    breakers,
    bind: (connectorId, epoch) => {
      bindings.set(connectorId, epoch);
      for (const [key, mapping] of mappings)
        if (mapping.connectorId === connectorId && mapping.bindingEpoch !== epoch) mappings.delete(key);
    },
    backup: () => {
      const kept = [rows, held, mappings, removals, claims, bindings, conflicts].map((each) => new Map<string, unknown>(each));
      const [keptEnded, putOwnersBack] = [new Set(ended), owners.backup()];
      return () => {
        [rows, held, mappings, removals, claims, bindings, conflicts].forEach((each: Map<string, unknown>, index) => {
          each.clear();
          for (const [key, value] of kept[index]!) each.set(key, value);
        });
        ended.clear();
        for (const unit of keptEnded) ended.add(unit);
        putOwnersBack();
      };
    },
    setDown: (value) => {
      down = value;
    },
  };
}
