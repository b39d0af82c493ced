import { isLaterPosition } from '@sluice/ports';
import type { AcceptPosition, CallResult, MappingKey, RecordWrite, RecordWriteResult, RunStore } from '@sluice/ports';
import type { Activity } from './activity';
import { createBoundedCache } from './bounded-cache';
import { createCoalescer } from './coalescer';
import type { UnitContext } from './unit-context';

type Answer = CallResult<RecordWriteResult>;

/** Deletions by events: an older event that comes late (a replay, one that stepped aside) does not make the record anew. */
export interface MappingRemovals {
  /** The unit deleted the record of a mapping. */
  note(unit: UnitContext, entity: string, externalId: string): void;
  /** Runs a write that may create a record, unless a guarded unit is older than the deletion of that record. */
  guard(unit: UnitContext, write: RecordWrite, run: () => Promise<Answer>): Promise<Answer>;
}

/** @param remembered deletions kept in memory: more than there are between landing and being settled */
export function createMappingRemovals(
  store: Pick<RunStore, 'haveNewerRemovals'>,
  { activity, remembered }: { activity: Activity; remembered: number },
): MappingRemovals {
  const own = createBoundedCache<AcceptPosition>(remembered);
  const keyOf = ({ connectorId }: UnitContext, entity: string, externalId: string): MappingKey => ({
    connectorId,
    entity,
    externalId,
  });
  const textOf = ({ connectorId, entity, externalId }: MappingKey): string => JSON.stringify([connectorId, entity, externalId]);
  const reads = createCoalescer<MappingKey & { position: AcceptPosition }, boolean>({
    maxBatch: 1_000,
    maxConcurrent: 2,
    activity,
    run: (asked) => store.haveNewerRemovals(asked),
  });
  const removedLater = async (unit: UnitContext, key: MappingKey): Promise<boolean> => {
    const noted = own.get(textOf(key));
    if (noted && isLaterPosition(noted, unit.position)) return true;
    return reads.ask({ ...key, position: unit.position });
  };
  return {
    note: (unit, entity, externalId) => {
      own.set(textOf(keyOf(unit, entity, externalId)), unit.position);
    },
    guard: async (unit, { entity, externalId }, run) => {
      if (!unit.guarded || externalId === null || !(await removedLater(unit, keyOf(unit, entity, externalId)))) return run();
      return { ok: true, value: { crm_id: null, created: false, updated: false, skipped: true, reason: 'superseded' } };
    },
  };
}
