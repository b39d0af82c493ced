import { createHash } from 'node:crypto';
import { type AcceptPosition, type Mapping, type UnitKey, unitKeyText } from './run-store';

/**
 * Two places of one partition whose accept times lie further apart are not of one log: the topic was made anew, and its offsets
 * began at 0 again. Far more than clocks differ, and more than an event waits between being accepted and being appended.
 */
export const oneLogWithinMs = 3_600_000;

/**
 * The partition of positions that have no place in the log, those of replays: only their accept time says how old they are.
 * Their offset tells one run from another and orders nothing.
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

/** The position of a run that stands at a new place of the log: unlike that of any other run, also of the same moment. */
export function positionOfRun(unit: UnitKey, acceptedAt: string): AcceptPosition {
  const digest = createHash('sha256').update(unitKeyText(unit)).digest();
  return { partition: noPartition, offset: BigInt.asUintN(63, digest.readBigUInt64BE(0)), acceptedAt };
}

/**
 * The later of two positions. Where neither is, a place in the log says more than the position of a replay, which only its accept
 * time orders: what stood before that place stays older. Else the kept one.
 */
export function laterPosition(kept: AcceptPosition | null, other: AcceptPosition | null): AcceptPosition | null {
  if (!kept || !other) return kept ?? other;
  return isLaterPosition(other, kept) || isExacter(other, kept) ? other : kept;
}

const isExacter = (other: AcceptPosition, kept: AcceptPosition): boolean =>
  kept.partition === noPartition && other.partition !== noPartition &&
  Date.parse(other.acceptedAt) === Date.parse(kept.acceptedAt);

/**
 * What a save leaves behind. A landed write older than the one kept changes nothing; a record that was only found
 * (no position) changes what the key points to but not the position; another binding epoch replaces all. Of two positions
 * that only their accept time could tell apart, and does not, the kept one stays: a replay must not blur where its event stood.
 */
export function mergeMapping(kept: Mapping | undefined, saved: Mapping): Mapping {
  if (!kept || kept.bindingEpoch !== saved.bindingEpoch) return saved;
  if (kept.position && saved.position && isLaterPosition(kept.position, saved.position)) return kept;
  return { ...saved, position: laterPosition(kept.position, saved.position) };
}
