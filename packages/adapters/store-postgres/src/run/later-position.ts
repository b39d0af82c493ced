import { noPartition, oneLogWithinMs } from '@sluice/ports';

/** Columns of a position: of a row (`m.position`) or of what is compared with it (`excluded.position`). */
type Position = string;

/** Whether `a` is later than `b`: the SQL of `isLaterPosition`. `orAlike`: or not earlier. */
export const laterPosition = (a: Position, b: Position, orAlike: '' | '=' = ''): string => `CASE
  WHEN ${a}_partition = ${b}_partition AND ${a}_partition <> ${noPartition}
    AND abs(extract(epoch FROM ${a}_accepted_at - ${b}_accepted_at)) * 1000 <= ${oneLogWithinMs}
  THEN ${a}_offset >${orAlike} ${b}_offset ELSE ${a}_accepted_at >${orAlike} ${b}_accepted_at END`;

/** Whether `a` replaces `b`: the SQL of `laterPosition` of the ports. */
export const takesPlaceOf = (a: Position, b: Position): string => `(${laterPosition(a, b)} OR (${b}_partition = ${noPartition}
  AND ${a}_partition > ${noPartition} AND ${a}_accepted_at = ${b}_accepted_at))`;
