import { isLaterPosition, laterPosition } from '@sluice/ports';
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
  /**
   * Runs a write that may create a record, unless a guarded unit is older than the deletion of that record. A deletion may land
   * while the write waits: whoever is about to create a record asks again.
   */
  guard(unit: UnitContext, write: RecordWrite, run: () => Promise<Answer>): Promise<Answer>;
  /** Whether the unit is guarded and older than a deletion of the write's record. */
  superseded(unit: UnitContext, write: RecordWrite): Promise<boolean>;
  /** The same as far as this process knows, right now and without asking anybody. */
  outdated(unit: UnitContext, write: RecordWrite): boolean;
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
  const knows = (unit: UnitContext, key: MappingKey): boolean => {
    const noted = own.peek(textOf(key));
    return noted !== undefined && isLaterPosition(noted, unit.position);
  };
  const superseded: MappingRemovals['superseded'] = async (unit, { entity, externalId }) => {
    if (!unit.guarded || externalId === null) return false;
    const key = keyOf(unit, entity, externalId);
    return knows(unit, key) || reads.ask({ ...key, position: unit.position });
  };
  const guarded: MappingRemovals['guard'] = async (unit, write, run) => {
    if (await superseded(unit, write)) return leftOut;
    const answer = await run();
    // The record was deleted while the write was on its way, and not by a person.
    const isGone = !answer.ok && answer.code === 'target_deleted';
    return isGone && (await superseded(unit, write)) ? leftOut : answer;
  };
  return {
    superseded,
    outdated: (unit, { entity, externalId }) =>
      unit.guarded && externalId !== null && knows(unit, keyOf(unit, entity, externalId)),
    note: (unit, entity, externalId) => {
      const text = textOf(keyOf(unit, entity, externalId));
      own.set(text, laterPosition(own.peek(text) ?? null, unit.position)!);
    },
    guard: (unit, write, run) => (unit.guarded ? guarded(unit, write, run) : run()),
  };
}

const leftOut: Answer = {
  ok: true,
  value: { crm_id: null, created: false, updated: false, skipped: true, reason: 'superseded' },
};
