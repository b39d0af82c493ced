import type { LandedWrite } from '../crm-log';
import { unitTextOf, type Trial } from './trial';

/**
 * A write of an event that stepped aside, which took effect after its sender had given up: nothing waits for it, because its lane
 * has continued (ADR 0035).
 */
export function isOvertaking({ byNumber, notes }: Trial, { late, at, n }: LandedWrite): boolean {
  const steppedAt = notes.steppedAt.get(unitTextOf(byNumber.get(n)!.envelope));
  return late && steppedAt !== undefined && steppedAt <= at;
}
