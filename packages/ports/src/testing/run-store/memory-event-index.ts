import type { EventIndex, IndexRow } from '../../records/event-index';
import { keptForEver } from '../../records/retention';
import { type PartitionRef } from '../../run-store/partition-ref';
import { unitKeyText } from '../../run-store/unit-key';
import type { MemoryRunStore } from './memory-run-store';

/** An event index in memory, with what tests want to see. */
export interface MemoryEventIndex extends EventIndex {
  entries(): IndexRow[];
  /** Takes a copy; the answer puts the index back to it, as a restored database is. */
  backup(): () => void;
}

/**
 * Keeps index rows for as long as the object lives.
 * @param store whose record and held rows its views show; none: views show the index alone
 * @param now the time of its clock, milliseconds since the epoch
 * @param retention what is older is not shown, whether it was deleted or not
 */
export function createMemoryEventIndex(
  store?: Pick<MemoryRunStore, 'rows' | 'held'>, now: () => number = Date.now, retention = keptForEver,
): MemoryEventIndex {
  let entries = new Map<string, IndexRow>();
  let positions = new Map<string, bigint>();
  /** First runs: counted also when their rows are past retention. */
  let accepted: Pick<IndexRow, 'organizationId' | 'acceptedAt'>[] = [];
  const isPast = (acceptedAt: string, seconds: number): boolean => now() - Date.parse(acceptedAt) >= seconds * 1000;
  const keyOf = ({ topic, partition }: PartitionRef): string => `${partition} ${topic}`;
  return {
    write: async (rows, ranges = []) => {
      for (const row of rows) {
        if (entries.has(unitKeyText(row))) continue;
        entries.set(unitKeyText(row), row);
        if (row.run === 'first') accepted = [...accepted, row];
      }
      return ranges.flatMap(({ topic, partition, from, next }) => {
        const at = positions.get(keyOf({ topic, partition })) ?? 0n;
        if (at < from) return [{ topic, partition, next: at }];
        positions.set(keyOf({ topic, partition }), next > at ? next : at);
        return [];
      });
    },
    position: async (ref) => positions.get(keyOf(ref)) ?? 0n,
    view: async (connectorId, eventId) => {
      const found = [...entries.values()].filter((row) => row.connectorId === connectorId && row.eventId === eventId);
      const first = [...found].sort((a, b) => Date.parse(a.acceptedAt) - Date.parse(b.acceptedAt))[0];
      const forgotten = first !== undefined && isPast(first.acceptedAt, retention.historyS);
      const ofEvent = (row: { connectorId: string; unit: { eventId: string } }): boolean =>
        row.connectorId === connectorId && row.unit.eventId === eventId;
      return {
        index: first === undefined || forgotten ? null : {
          connectorId,
          entitiesTotal: first.entitiesTotal,
          acceptedAt: first.acceptedAt,
          units: new Set(found.map((row) => row.entityIndex)).size,
          aliases: [...new Set(found.flatMap((row) => row.aliases))],
        },
        forgotten,
        rows: (store?.rows() ?? []).filter((row) => ofEvent(row) && !isPast(row.createdAt, retention.historyS)).sort(
          (a, b) => a.unit.entityIndex - b.unit.entityIndex,
        ),
        held: (store?.held() ?? []).filter(ofEvent).map(({ unit, reason, dueAt, lastError, lastErrorCode }) => ({
          unit, reason, dueAt, error: lastError, errorCode: lastErrorCode,
        })),
        replays: [],
      };
    },
    recentPayloads: async (connectorId, { since, limit, bytes }) =>
      [...entries.values()]
        .filter((row) => row.connectorId === connectorId && row.run === 'first')
        .filter((row) => Date.parse(row.acceptedAt) >= Date.parse(since))
        .filter((row) => !isPast(row.acceptedAt, Math.min(retention.payloadS, retention.historyS)))
        .sort((a, b) => Date.parse(b.acceptedAt) - Date.parse(a.acceptedAt))
        .slice(0, limit)
        .flatMap(({ sourceName, eventType, payload }) =>
          payload === null || payload.length > bytes ? [] : [{ sourceName, eventType, payloadText: jsonOf(payload) }]),
    acceptedSince: async (organizationId, since) =>
      accepted.filter((row) => row.organizationId === organizationId && Date.parse(row.acceptedAt) >= Date.parse(since)).length,
    reservedSince: async () => 0,
    storeTime: async () => new Date(now()),
    maintain: async (now, { historyS, payloadS }) => {
      const ageS = (row: IndexRow): number => (now.getTime() - Date.parse(row.acceptedAt)) / 1000;
      const kept = [...entries].filter(([, row]) => ageS(row) <= historyS);
      entries = new Map(kept.map(([key, row]) => [key, ageS(row) <= payloadS ? row : { ...row, payload: null }]));
    },
    entries: () => [...entries.values()],
    backup: () => {
      const [keptEntries, keptPositions, keptAccepted] = [new Map(entries), new Map(positions), accepted];
      return () => {
        [entries, positions, accepted] = [new Map(keptEntries), new Map(keptPositions), keptAccepted];
      };
    },
  };
}

/** A payload that is no JSON is kept as a text. */
function jsonOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
