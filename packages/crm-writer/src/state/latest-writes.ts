import { isLaterPosition, laterPosition } from '@sluice/ports';
import type { AcceptPosition, CrmRecordKey, RunStore } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { createBoundedCache } from '../shared/bounded-cache';
import { createCoalescer } from '../batching/coalescer';
import type { UnitContext } from '../shared/unit-context';

/** A record as a write knows it: by its CRM id, or by the unique value it was upserted by. */
export type WrittenRecord = { objectType: string; crmId: string } | { objectType: string; property: string; value: string };

/**
 * The last write of each CRM record, by any connector under any external id: an older guarded event does not overwrite it (ADR
 * 0036). The store has the settled writes; this cache has those of this process that are not settled yet.
 */
export interface LatestWrites {
  /** A write of the unit to the record succeeded. */
  note(unit: UnitContext, record: WrittenRecord): void;
  /** The same for a write without a mapping: the store keeps the position with the record. */
  noteUnmapped(unit: UnitContext, record: { objectType: string; crmId: string }): void;
  /** Whether this process knows of a newer write than the unit's, without reading the store. */
  outdated(unit: UnitContext, record: WrittenRecord): boolean;
  /** The same including the store: many records are read in one statement. */
  superseded(unit: UnitContext, objectType: string, crmId: string): Promise<boolean>;
}

/**
 * @param remembered records kept in memory; those with the oldest writes are dropped first. Must be more than the writes that are
 * not settled yet: only these are needed in memory.
 */
export function createLatestWrites(
  store: Pick<RunStore, 'haveNewerWrites'>,
  { activity, remembered }: { activity: Activity; remembered: number },
): LatestWrites {
  const newest = createBoundedCache<AcceptPosition>(remembered);
  // The name of a property may contain any character: its length says where it ends.
  const textOf = ({ binding: { portalId } }: UnitContext, record: WrittenRecord): string =>
    'crmId' in record
      ? `${portalId} ${record.objectType} id ${record.crmId}`
      : `${portalId} ${record.objectType} ${record.property.length} ${record.property}${record.value}`;
  const reads = createCoalescer<CrmRecordKey & { position: AcceptPosition }, boolean>({
    maxBatch: 1_000,
    maxConcurrent: 2,
    activity,
    run: (asked) => store.haveNewerWrites(asked),
  });
  const outdated: LatestWrites['outdated'] = (unit, record) => {
    const position = newest.peek(textOf(unit, record));
    return position !== undefined && isLaterPosition(position, unit.position);
  };
  const note: LatestWrites['note'] = (unit, record) => {
    const text = textOf(unit, record);
    newest.set(text, laterPosition(newest.peek(text) ?? null, unit.position)!);
  };
  return {
    outdated,
    note,
    noteUnmapped: (unit, record) => {
      note(unit, record);
      unit.effects.recordWrites.push({ portalId: unit.binding.portalId, ...record, position: unit.position });
    },
    superseded: async (unit, objectType, crmId) =>
      outdated(unit, { objectType, crmId }) ||
      reads.ask({ portalId: unit.binding.portalId, objectType, crmId, position: unit.position }),
  };
}
