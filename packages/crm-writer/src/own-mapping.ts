import type { Mapping } from '@sluice/ports';
import type { UnitContext } from './unit-context';

/** Whether an earlier attempt of the same event saved the mapping: what later steps are told then stays the same. */
export const isOwn = ({ retried, position }: UnitContext, mapping: Mapping): boolean =>
  retried &&
  mapping.position !== null &&
  mapping.position.partition === position.partition &&
  mapping.position.offset === position.offset;
