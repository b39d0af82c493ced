import { isLaterPosition, laterPosition } from '@sluice/ports';
import type { AcceptPosition, CallResult, MappingKey, RecordWrite, RecordWriteResult, RunStore } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { createBoundedCache } from '../shared/bounded-cache';
import { createCoalescer } from '../batching/coalescer';
import type { UnitContext } from '../shared/unit-context';

type Answer = CallResult<RecordWriteResult>;

/** Deletions by events: an older event that runs late (a replay, one that stepped aside) does not create the record again. */
export interface MappingRemovals {
  /** The unit deleted the record of a mapping. */
  note(unit: UnitContext, entity: string, externalId: string): void;
  /**
   * Runs a write that may create a record, unless a guarded unit is older than the deletion of that record. A deletion may happen
   * while the write waits, so it is checked again before a record is created.
   */
  guard(unit: UnitContext, write: RecordWrite, run: () => Promise<Answer>): Promise<Answer>;
  /** Whether the unit is guarded and older than a deletion of the write's record. */
  superseded(unit: UnitContext, write: RecordWrite): Promise<boolean>;
  /** The same as far as this process knows, without reading the store. */
  outdated(unit: UnitContext, write: RecordWrite): boolean;
}

/** @param remembered deletions kept in memory; must be more than those that are not settled yet */
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
    return knows(unit, key) || reads.ask({ position: unit.position, ...key });
  };
  const guarded: MappingRemovals['guard'] = async (unit, write, run) => {
    if (await superseded(unit, write)) return leftOut;
    const answer = await run();
    // An event deleted the record while the write was under way, not a person.
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
