import { createHash } from 'node:crypto';
import { type UnitKey, unitKeyText } from './unit-key';
import type { AcceptPosition, Mapping } from './identity-map';

/**
 * Two positions of one partition whose accept times are further apart are not of one log: the topic was created again, and its
 * offsets started at 0. This is far more than clocks differ, and more than the time between accepting and appending an event.
 */
export const oneLogWithinMs = 3_600_000;

/**
 * The partition of positions without an offset in the log, those of replays: only their accept time shows their age. Their
 * `offset` distinguishes runs and has no order.
 */
export const noPartition = -1;

/**
 * Whether `a` was accepted after `b`: by offset on the same partition of one log, else by accept time. Equal ones are not later.
 */
export function isLaterPosition(a: AcceptPosition, b: AcceptPosition): boolean {
  const laterByMs = Date.parse(a.acceptedAt) - Date.parse(b.acceptedAt);
  const isOneLog = a.partition === b.partition && a.partition !== noPartition && Math.abs(laterByMs) <= oneLogWithinMs;
  return isOneLog ? a.offset > b.offset : laterByMs > 0;
}

/** The position of a replay: different from that of any other run, also of the same millisecond. */
export function positionOfRun(unit: UnitKey, acceptedAt: string): AcceptPosition {
  const digest = createHash('sha256').update(unitKeyText(unit)).digest();
  return { partition: noPartition, offset: BigInt.asUintN(63, digest.readBigUInt64BE(0)), acceptedAt };
}

/**
 * The later of two positions. When neither is later, a position with an offset is preferred to that of a replay, because it keeps
 * the order with earlier offsets. Else the kept one.
 */
export function laterPosition(kept: AcceptPosition | null, other: AcceptPosition | null): AcceptPosition | null {
  if (!kept || !other) return kept ?? other;
  return isLaterPosition(other, kept) || isExacter(other, kept) ? other : kept;
}

const isExacter = (other: AcceptPosition, kept: AcceptPosition): boolean =>
  kept.partition === noPartition && other.partition !== noPartition &&
  Date.parse(other.acceptedAt) === Date.parse(kept.acceptedAt);

/**
 * The mapping after a save. A write older than the kept one changes nothing; a record that was only found (no position) changes
 * the record but not the position; another binding epoch replaces everything. Of two positions with the same accept time and
 * without comparable offsets the kept one stays, so that a replay does not lose the offset of its event.
 */
export function mergeMapping(kept: Mapping | undefined, saved: Mapping): Mapping {
  if (!kept || kept.bindingEpoch !== saved.bindingEpoch) return saved;
  if (kept.position && saved.position && isLaterPosition(kept.position, saved.position)) return kept;
  return { ...saved, position: laterPosition(kept.position, saved.position) };
}
