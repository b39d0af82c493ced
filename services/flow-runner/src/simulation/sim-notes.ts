import {
  unitKeyText, type AcceptPosition, type CrmRecordKey, type HeldReason, type PartitionOwnership, type RunStore, type Settlement,
} from '@sluice/ports';
import type { MemoryConnection } from '@sluice/ports/testing';
import { isNarrow } from '../units/verdicts/verdict';

/** Notes about stored and read data that is not in the final state. Times in milliseconds since the epoch. */
export interface SimNotes {
  /** Units that were settled once, ended or held. */
  everSettled: Set<string>;
  /** When a unit's outcome was stored, last and first: a settlement whose answer was lost is sent again. */
  endedAt: Map<string, number>;
  /** The binding epoch that was in force when a unit's outcome was known: some wait with it for a late write. */
  endedUnder: Map<string, number>;
  firstEndedAt: Map<string, number>;
  /** When a unit was held for the first time: later attempts are repeats. */
  heldAt: Map<string, number>;
  /** Units that stepped aside, and when first. */
  steppedAt: Map<string, number>;
  /** Units in a scope in which others of their lane may overtake them, alone or with their flow, and since when. */
  passedSince: Map<string, number>;
  /** The binding in force of each connector. */
  bound: Map<string, number>;
  /** Writes that the store knows of. `record`: as in `LandedWrite`. `until`: when its connector got another portal. */
  saves: { at: number; until: number | null; connectorId: string; record: string; position: AcceptPosition }[];
  /** Deletions that the store knows of, by the external id whose mapping went. `until`: when a restored store forgot them. */
  removals: { at: number; until: number | null; connectorId: string; externalId: string; position: AcceptPosition }[];
  /** Every wait of a unit, in order. `attempts`: used up by then. `failure`: what the last one said. */
  waits: Map<string, { at: number; attempts: number; failure: string }[]>;
  /** Deaths, cuts and freezes of processes: their claims stayed pending. */
  troubles: { at: number; by: string }[];
  /** Processes that others took for dead, once each. */
  expelled: Set<string>;
  /** Identities that units claimed. `record`: `<portal> <object type>/<value>`. */
  claims: { at: number; by: string; unit: string; record: string }[];
  /** When a process took a partition: it continues the work of the former owner. */
  moves: { at: number; by: string; partition: number; epoch: bigint }[];
  /** Ownerships under which something was settled, and when. */
  settled: { at: number; partition: number; epoch: bigint }[];
  /** How often units were held, by reason. */
  holds: Map<HeldReason, number>;
  /** The store was restored at `at` to its state at `copiedAt`, after this number of moves. */
  restores: { copiedAt: number; at: number; moves: number }[];
  /** Calls of stores that failed a process on the way there or back. */
  lost: { at: number; by: string }[];
  /** Reads of processes whether something newer was written. */
  looks: { at: number; by: string; record: string; position: AcceptPosition }[];
  /** Reads whether something newer deleted a record. */
  removalLooks: { at: number; by: string; connectorId: string; externalId: string; position: AcceptPosition }[];
}

export const emptyNotes = (): SimNotes => ({
  everSettled: new Set(),
  expelled: new Set(),
  bound: new Map(),
  endedAt: new Map(),
  endedUnder: new Map(),
  firstEndedAt: new Map(),
  heldAt: new Map(),
  steppedAt: new Map(),
  passedSince: new Map(),
  waits: new Map(),
  saves: [],
  removals: [],
  removalLooks: [],
  troubles: [],
  claims: [],
  moves: [],
  settled: [],
  holds: new Map(),
  restores: [],
  lost: [],
  looks: [],
});

const recordText = ({ portalId, objectType, crmId }: CrmRecordKey): string => `${portalId} ${objectType}/${crmId}`;

const first = (times: Map<string, number>, unit: string, at: number): void => { if (!times.has(unit)) times.set(unit, at); };

/** Drops the notes that a restored store does not have any more. */
export function noteRestore(notes: SimNotes, copiedAt: number, at: number): void {
  notes.restores.push({ copiedAt, at, moves: notes.moves.length });
  for (const times of [notes.firstEndedAt, notes.heldAt, notes.steppedAt, notes.passedSince]) {
    for (const [unit, time] of times) if (time > copiedAt) times.delete(unit);
  }
  for (const unit of notes.endedAt.keys()) if (!notes.firstEndedAt.has(unit)) notes.endedAt.delete(unit);
  for (const [unit, waits] of notes.waits) notes.waits.set(unit, waits.filter((wait) => wait.at <= copiedAt));
  for (const save of [...notes.saves, ...notes.removals]) if (save.at > copiedAt) save.until ??= at;
}

/** A process's connection to the store, with notes about the partitions that it takes. */
export function notingMoves({ ownership, end }: MemoryConnection, notes: SimNotes, now: () => number): MemoryConnection {
  const acquire: PartitionOwnership['acquire'] = async (ref, options) => {
    const answer = await ownership.acquire(ref, options);
    if (answer.acquired) notes.moves.push({ at: now(), by: options.owner, partition: ref.partition, epoch: answer.epoch });
    return answer;
  };
  return { ownership: { ...ownership, acquire }, end };
}

/** The store that all processes share, with notes about settlements. */
export function notingSettlements(store: RunStore, notes: SimNotes, now: () => number): RunStore {
  return {
    ...store,
    settle: async (settlements, ...more) => {
      const answer = await store.settle(settlements, ...more);
      settlements.forEach((settlement, index) => {
        const { lease: { partition, epoch }, unit, verdict, connectorId, bindingEpoch } = settlement;
        if (answer.refused.includes(index) || answer.rebound.includes(index)) return;
        notes.settled.push({ at: now(), partition, epoch });
        const text = unitKeyText(unit);
        notes.everSettled.add(text);
        const noteBinding = (): void => void notes.endedUnder.set(text, notes.bound.get(connectorId)!);
        if (verdict.kind === 'rows') {
          notes.endedAt.set(text, now());
          if (bindingEpoch !== undefined || !notes.endedUnder.has(text)) noteBinding();
          first(notes.firstEndedAt, text, now());
        } else if (verdict.kind === 'hold') {
          first(notes.heldAt, text, now());
          const { attempts, lastError, ending, reason } = verdict.held;
          if (ending) noteBinding();
          notes.holds.set(reason, (notes.holds.get(reason) ?? 0) + 1);
          const waits = notes.waits.get(text) ?? [];
          notes.waits.set(text, [...waits, { at: now(), attempts: ending?.[0]?.attempts ?? attempts, failure: lastError ?? '' }]);
          if (reason === 'counterpart') first(notes.steppedAt, text, now());
          if (isNarrow(verdict.held.scope)) first(notes.passedSince, text, now());
        }
        noteMappings(notes, settlement, now());
      });
      return answer;
    },
  };
}

function noteMappings(notes: SimNotes, { mappings, mappingsRemoved }: Settlement, at: number): void {
  for (const { connectorId, externalId, position } of mappingsRemoved)
    notes.removals.push({ at, until: null, connectorId, externalId, position });
  for (const mapping of mappings) {
    const { connectorId, position, bindingEpoch } = mapping;
    if (!position || notes.bound.get(connectorId) !== bindingEpoch) continue;
    notes.saves.push({ at, until: null, connectorId, record: recordText(mapping), position });
  }
}

/** The store of one process, with notes about its reads and claims. */
export function notingLooks(store: RunStore, notes: SimNotes, now: () => number, by: string): RunStore {
  return {
    ...store,
    claim: async (keys, claimants, options) => {
      const answers = await store.claim(keys, claimants, options);
      keys.forEach(({ portalId, objectType, value }, index) => {
        const { unit } = claimants[index]!;
        if (answers[index]!.state === 'granted' || answers[index]!.state === 'taken_over') {
          notes.claims.push({ at: now(), by, unit, record: `${portalId} ${objectType}/${value}`.toLowerCase() });
        }
      });
      return answers;
    },
    haveNewerRemovals: (asked) => {
      for (const { connectorId, externalId, position } of asked)
        notes.removalLooks.push({ at: now(), by, connectorId, externalId, position });
      return store.haveNewerRemovals(asked);
    },
    haveNewerWrites: (asked) => {
      for (const { position, ...record } of asked) notes.looks.push({ at: now(), by, record: recordText(record), position });
      return store.haveNewerWrites(asked);
    },
  };
}
